#pragma once

#include <peal/util/progress.h>

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

namespace peal::util {

/// The steps of a part of a job, under its name: `"mug": modes`. Ends those that an error left
/// open, so that the step that they interrupted goes on.
class NamedSteps : public Progress {
 public:
  NamedSteps(Progress& progress, std::string name) : progress_(progress), name_(std::move(name)) {}
  NamedSteps(const NamedSteps&) = delete;
  NamedSteps& operator=(const NamedSteps&) = delete;
  ~NamedSteps() override {
    while (open_ > 0) end();
  }

  void begin(std::string_view step, double scene_seconds) override {
    progress_.begin(fmt::format("{}: {}", name_, step), scene_seconds);
    ++open_;
  }
  void update(double fraction) override { progress_.update(fraction); }
  void end() override {
    progress_.end();
    --open_;
  }

 private:
  Progress& progress_;
  std::string name_;
  int open_ = 0;
};

}  // namespace peal::util

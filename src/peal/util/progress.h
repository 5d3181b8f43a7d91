#pragma once

#include <string>
#include <string_view>

namespace peal::util {

/// Receives the progress of a long job. It is called from one thread at a time; implementations
/// decide what to show (a bar, JSON lines, nothing).
class Progress {
 public:
  virtual ~Progress() = default;

  /// A new step begins: "render", "read meshes". `scene_seconds` is the length of the sound that it
  /// computes [s], 0 if none, so that the speed can be reported relative to real time.
  virtual void begin(std::string_view step, double scene_seconds) = 0;
  /// Reports the completed fraction of the step, 0 to 1.
  virtual void update(double fraction) = 0;
  virtual void end() = 0;
};

/// Shows nothing.
class Silent : public Progress {
 public:
  void begin(std::string_view, double) override {}
  void update(double) override {}
  void end() override {}
};

}  // namespace peal::util

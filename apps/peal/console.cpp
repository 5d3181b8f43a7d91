#include "console.h"

#include <peal/util/error.h>
#include <peal/util/problems.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;

void to_stderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// Text that may hold file names in any encoding, as valid JSON.
std::string dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// What any reporter needs: how long the steps have run, how far they are, how fast.
class TimedProgress : public util::Progress {
 public:
  void begin(std::string_view step, double scene_seconds) override {
    steps_.push_back({.name = std::string(step), .scene_seconds = scene_seconds});
    show(0.0);
  }
  void update(double fraction) override {
    Step& step = steps_.back();
    const double now = step.watch.seconds();
    if (now - step.shown < 0.1) return;  // ten times a second is enough for anyone
    step.shown = now;
    show(fraction);
  }
  void end() override {
    finish();
    const double taken = elapsed();
    steps_.pop_back();
    if (!steps_.empty()) steps_.back().interrupted += taken;
  }

 protected:
  struct Step {
    std::string name;
    double scene_seconds = 0.0;
    Stopwatch watch{};
    double shown = -1.0;
    double interrupted = 0.0;  ///< time of steps that interrupted it [s]
    double next_line = 5.0;    ///< of Lines [s]
    bool has_line = false;     ///< of Lines
  };

  virtual void show(double fraction) = 0;
  virtual void finish() { show(1.0); }

  Step& step() { return steps_.back(); }
  double elapsed() const { return steps_.back().watch.seconds(); }
  double remaining(double fraction) const {
    const double working = elapsed() - steps_.back().interrupted;
    return fraction > 0.0 ? working * (1.0 - fraction) / fraction : 0.0;
  }
  /// Before anything is done, nobody knows how long the rest takes.
  std::string remaining_text(double fraction) const {
    return fraction > 0.0 ? duration_text(remaining(fraction)) + " to go"
                          : duration_text(elapsed()) + " so far";
  }
  double x_real_time(double fraction) const {
    return elapsed() > 0.0 ? steps_.back().scene_seconds * fraction / elapsed() : 0.0;
  }

 private:
  std::vector<Step> steps_;
};

class Bar : public TimedProgress {
 public:
  ~Bar() override { leave_line(); }  // an error comes on a line of its own
  void begin(std::string_view step, double scene_seconds) override {
    leave_line();
    TimedProgress::begin(step, scene_seconds);
  }

 protected:
  void show(double fraction) override {
    constexpr int width = 30;
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
    const bool done = fraction >= 1.0;
    on_line_ = true;
    to_stderr(fmt::format(
        "\r\033[K{} [{:-<{}}{: <{}}] {:3.0f} %  {}  {}", step().name, "", filled, "",
        width - filled, 100.0 * fraction,
        done ? "took " + duration_text(elapsed()) : remaining_text(fraction),
        fraction > 0.0 && step().scene_seconds > 0.0 ? speed_text(x_real_time(fraction)) : ""));
  }
  void finish() override {
    show(1.0);
    leave_line();
  }

 private:
  void leave_line() {
    if (on_line_) to_stderr("\n");
    on_line_ = false;
  }

  bool on_line_ = false;
};

/// For a pipe or a file: a line now and then, and none for what is quick.
class Lines : public TimedProgress {
 protected:
  void show(double fraction) override {
    if (elapsed() < step().next_line) return;
    constexpr double between_lines = 15.0;  // [s]
    step().has_line = true;
    step().next_line = elapsed() + between_lines;
    to_stderr(
        fmt::format("{}: {:.0f} %, {}\n", step().name, 100.0 * fraction, remaining_text(fraction)));
  }
  void finish() override {
    if (step().has_line)
      to_stderr(fmt::format("{}: took {}\n", step().name, duration_text(elapsed())));
  }
};

class JsonLines : public TimedProgress {
 protected:
  void show(double fraction) override {
    to_stderr(dump({{"progress",
                     {{"step", step().name},
                      {"fraction", fraction},
                      {"elapsed_s", elapsed()},
                      {"remaining_s", remaining(fraction)},
                      {"x_real_time", x_real_time(fraction)}}}}) +
              "\n");
  }
};

/// Every problem of the input, also if there is only one.
Json describe(const util::InputError& error) {
  const auto* several = dynamic_cast<const util::InputErrors*>(&error);
  Json problems = Json::array();
  for (const util::InputError& one :
       several ? several->all() : std::vector<util::InputError>{error}) {
    problems.push_back({{"file", one.location().file},
                        {"at", one.location().at},
                        {"problem", one.problem()},
                        {"cure", one.hint()}});
  }
  return problems;
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 60.0) return fmt::format("{:.0f} s", seconds);
  const int whole = static_cast<int>(seconds);
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string speed_text(double x_real_time) {
  return x_real_time >= 1.0
             ? fmt::format("{:.2g} times faster than real time", x_real_time)
             : fmt::format("{:.2g} times slower than real time", 1.0 / std::max(x_real_time, 1e-9));
}

std::string rounded(double value) {
  if (value >= 100.0) return fmt::format("{:.0f}", value);
  if (value >= 10.0) return fmt::format("{:.1f}", value);
  if (value >= 0.01 || value == 0.0) return fmt::format("{:.2f}", value);
  return fmt::format("{:.1e}", value);
}

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void Console::line(const std::string& text) const {
  fmt::print("{}\n", text);
}

void Console::document(const nlohmann::ordered_json& result) const {
  fmt::print("{}\n", dump(result, 2));
}

void Console::notice(const std::string& text) const {
  to_stderr(json ? dump({{"notice", text}}) + "\n" : "note: " + text + "\n");
}

void Console::notices(std::span<const std::string> texts) const {
  // "NAME" and what is said of it.
  constexpr std::size_t named = 3;
  const auto said = [](const std::string& text) {
    const std::size_t end = text.starts_with('"') ? text.find('"', 1) : std::string::npos;
    return end == std::string::npos ? std::string_view(text)
                                    : std::string_view(text).substr(end + 1);
  };
  std::map<std::string_view, std::vector<std::string_view>> names;
  for (const std::string& text : texts)
    names[said(text)].push_back(std::string_view(text).substr(0, text.size() - said(text).size()));
  for (const std::string& text : texts) {
    const std::vector<std::string_view>& all = names[said(text)];
    if (json || all.front().empty() || all.size() <= named) {
      notice(text);
    } else if (all.front().data() == text.data()) {
      notice(fmt::format("{} and {} others{}", fmt::join(std::span(all).first(named), ", "),
                         all.size() - named, said(text)));
    }
  }
}

void Console::plan(const base::RadiationPlan& plan) const {
  if (json) {
    to_stderr(dump({{"plan",
                     {{"model", plan.model},
                      {"choices", plan.choices},
                      {"work", plan.work},
                      {"work_unit", plan.work_unit}}}}) +
              "\n");
    return;
  }
  for (const std::string& choice : plan.choices) to_stderr(choice + "\n");
  if (plan.work > 0.0) to_stderr(fmt::format("{:.3g} {}\n", plan.work, plan.work_unit));
}

ExitCode Console::error(std::exception_ptr problem) const {
  Json problems;
  std::string text;
  ExitCode code = bad_numbers;
  try {
    std::rethrow_exception(problem);
  } catch (const util::InputError& error) {
    code = bad_input;
    text = error.what();
    problems = describe(error);
  } catch (const nlohmann::json::type_error& error) {
    constexpr int not_utf8 = 316;
    if (error.id == not_utf8) code = bad_input;
    text = error.id == not_utf8 ? "the name of a file or folder is not UTF-8\n  Rename it."
                                : error.what();
  } catch (const std::bad_alloc&) {
    text = "out of memory";
  } catch (const std::exception& error) {
    text = error.what();
  }
  if (json) {
    if (problems.is_null()) problems = Json::array({{{"problem", text}}});
    document({{"exit_code", static_cast<int>(code)}, {"errors", problems}});
  } else {
    to_stderr("peal: " + text + "\n");
  }
  return code;
}

ExitCode Console::usage_error(const std::string& problem, bool as_json) const {
  const std::string hint = "`peal --help` and `peal VERB --help` explain the usage.";
  if (as_json) {
    document({{"exit_code", static_cast<int>(bad_usage)},
              {"errors", Json::array({{{"problem", problem}, {"cure", hint}}})}});
  } else {
    to_stderr("peal: " + problem + "\n  " + hint + "\n");
  }
  return bad_usage;
}

std::unique_ptr<util::Progress> Console::progress() const {
  if (json) return std::make_unique<JsonLines>();
  if (::isatty(STDERR_FILENO)) return std::make_unique<Bar>();
  return std::make_unique<Lines>();
}

}  // namespace peal::apps

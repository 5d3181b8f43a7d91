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

/// What any reporter needs: how long the step has run, how far it is, how fast.
class TimedProgress : public util::Progress {
 public:
  void begin(std::string_view step, double scene_seconds) override {
    step_ = step;
    scene_seconds_ = scene_seconds;
    watch_ = Stopwatch();
    shown_ = -1.0;
    show(0.0);
  }
  void update(double fraction) override {
    const double now = watch_.seconds();
    if (now - shown_ < 0.1) return;  // ten times a second is enough for anyone
    shown_ = now;
    show(fraction);
  }
  void end() override { show(1.0); }

 protected:
  virtual void show(double fraction) = 0;

  const std::string& step() const { return step_; }
  double elapsed() const { return watch_.seconds(); }
  double remaining(double fraction) const {
    return fraction > 0.0 ? elapsed() * (1.0 - fraction) / fraction : 0.0;
  }
  double scene_seconds() const { return scene_seconds_; }
  /// Before anything is done, nobody knows how long the rest takes.
  std::string remaining_text(double fraction) const {
    return fraction > 0.0 ? duration_text(remaining(fraction)) + " to go"
                          : duration_text(elapsed()) + " so far";
  }
  double x_real_time(double fraction) const {
    return elapsed() > 0.0 ? scene_seconds_ * fraction / elapsed() : 0.0;
  }

 private:
  std::string step_;
  double scene_seconds_ = 0.0;
  Stopwatch watch_;
  double shown_ = -1.0;
};

class Bar : public TimedProgress {
 public:
  ~Bar() override { leave_line(); }  // an error comes on a line of its own
  void end() override {
    TimedProgress::end();
    leave_line();
  }

 protected:
  void show(double fraction) override {
    constexpr int width = 30;
    const int filled = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * width);
    const bool done = fraction >= 1.0;
    on_line_ = true;
    to_stderr(fmt::format(
        "\r\033[K{} [{:-<{}}{: <{}}] {:3.0f} %  {}  {}", step(), "", filled, "", width - filled,
        100.0 * fraction, done ? "took " + duration_text(elapsed()) : remaining_text(fraction),
        fraction > 0.0 && scene_seconds() > 0.0 ? speed_text(x_real_time(fraction)) : ""));
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
 public:
  void begin(std::string_view step, double scene_seconds) override {
    has_spoken_ = false;
    next_ = first_line;
    TimedProgress::begin(step, scene_seconds);
  }
  void end() override {
    if (has_spoken_) to_stderr(fmt::format("{}: took {}\n", step(), duration_text(elapsed())));
    has_spoken_ = false;
    next_ = first_line;
  }

 protected:
  void show(double fraction) override {
    if (elapsed() < next_) return;
    has_spoken_ = true;
    next_ = elapsed() + between_lines;
    to_stderr(
        fmt::format("{}: {:.0f} %, {}\n", step(), 100.0 * fraction, remaining_text(fraction)));
  }

 private:
  static constexpr double first_line = 5.0, between_lines = 15.0;  // [s]
  double next_ = first_line;
  bool has_spoken_ = false;
};

class JsonLines : public TimedProgress {
 protected:
  void show(double fraction) override {
    to_stderr(dump({{"progress",
                     {{"step", step()},
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

#pragma once

#include <peal/base/radiator.h>
#include <peal/util/progress.h>

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::apps {

/// Exit codes of the program (docs/conventions.md).
enum ExitCode { fine = 0, bad_usage = 2, bad_input = 3, bad_numbers = 4 };

/// How the program talks. stdout is data; stderr is for people, or JSON lines with --json.
class Console {
 public:
  bool json = false;  ///< --json

  /// A result for people: one line of plain text on stdout.
  void line(const std::string& text) const;
  /// The result of a verb as one JSON document on stdout.
  void document(const nlohmann::ordered_json& result) const;
  /// Something the user should know, on stderr.
  void notice(const std::string& text) const;
  /// Several; those that say the same of many objects are one line for people.
  void notices(std::span<const std::string> texts) const;
  /// What a render will do and how much work it is, before it starts, on stderr.
  void plan(const base::RadiationPlan& plan) const;
  /// What went wrong, where and how to mend it; says which exit code it means.
  ExitCode error(std::exception_ptr problem) const;

  /// The command line was wrong; a JSON document if asked for.
  ExitCode usage_error(const std::string& problem, bool as_json) const;

  /// A bar with ETA and speed on a terminal, JSON lines with --json, a line now and then when
  /// piped.
  std::unique_ptr<util::Progress> progress() const;
};

/// A number for people: three digits, no exponent.
std::string rounded(double value);
/// "12 s", "3 min 05 s".
std::string duration_text(double seconds);
/// "1.5 times faster than real time".
std::string speed_text(double x_real_time);

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace peal::apps

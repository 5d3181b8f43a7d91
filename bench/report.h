#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace peal::bench {

/// The results of one benchmark program: a table for people, printed as it grows, CSV for the
/// record.
///
///     Report report("readers", argc, argv);
///     report.add("obj", "time", 0.07, "s");
///     report.add_at_most("obj", "time / tinyobjloader", 0.2, "1", 0.5);
///     return report.finish();
class Report {
 public:
  /// Understands `--csv DIR`: finish() then writes DIR/<machine>/<name>.csv. Anything else on the
  /// command line ends the program with exit code 2.
  Report(std::string name, int argc, char** argv);

  /// A value for context.
  void add(const std::string& benchmark, const std::string& quantity, double value,
           const std::string& unit);
  /// A claim that holds if value <= limit.
  void add_at_most(const std::string& benchmark, const std::string& quantity, double value,
                   const std::string& unit, double limit);

  /// Writes the CSV file if asked to. Returns the exit code: 1 if a limit was missed.
  int finish() const;

 private:
  struct Row {
    std::string benchmark, quantity;
    double value;
    std::string unit;
    std::optional<double> limit;

    std::string verdict() const;
  };

  void add(const Row& row);
  std::string csv() const;

  std::string name_;
  std::string csv_folder_;
  std::vector<Row> rows_;
};

/// Time of one piece of work.
struct Seconds {
  double wall;  ///< [s]
  double cpu;   ///< [s] of all threads of this process. For work of one thread that waits for
                ///< nothing this is what `wall` would be on an idle machine: a busy one interrupts
                ///< long work more often than short work, which spoils ratios of wall times.
};

Seconds time_of(const std::function<void()>& work);

/// Median times of several pieces of work that take turns, so that whatever else the machine does
/// hits all alike. Each runs once before the clock starts.
std::vector<Seconds> median_times(const std::vector<std::function<void()>>& works, int rounds);

}  // namespace peal::bench

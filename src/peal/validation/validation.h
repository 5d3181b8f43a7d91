#pragma once

#include <peal/plot/line_chart.h>
#include <peal/util/progress.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace peal::validation {

/// One number of a published or exact result, and ours.
struct Claim {
  std::string quantity;  ///< "received frequency, approaching"
  std::string unit;
  double published = 0.0;
  double ours = 0.0;
  double tolerance = 0.0;  ///< largest |ours - published| that still agrees, in `unit`

  double error() const;
  bool holds() const;
};

/// The results of an entry.
struct Outcome {
  std::vector<Claim> claims;
  std::vector<plot::LineChart> charts;
  std::string remarks;

  bool holds() const;
};

/// Quick entries take seconds at most and are run by the tests; slow entries take up to a few
/// minutes.
enum class Cost { quick, slow };

/// A published result, and how Peal computes it.
struct Entry {
  std::string key;  ///< folder below validation/
  std::string title;
  std::string source;  ///< paper, equation or figure
  std::string method;  ///< what is computed, in one sentence
  std::function<Outcome()> run;
  Cost cost = Cost::quick;
};

/// All entries, in the order of the report.
const std::vector<Entry>& entries();

struct Result {
  const Entry* entry;
  Outcome outcome;
  double seconds = 0.0;
};

/// Runs the entries whose key is `name`, or all if it is empty. Throws InputError for an unknown
/// name.
std::vector<Result> run(const std::string& name, util::Progress& progress);

/// Writes REPORT.md (REPORT-<key>.md for a single entry) and the plots of each entry into `folder`;
/// returns the report's path.
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::vector<Result>& results);

}  // namespace peal::validation

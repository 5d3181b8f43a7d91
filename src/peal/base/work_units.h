#pragma once

#include <peal/base/signal.h>
#include <peal/base/time.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace peal::base {

/// One of the independent units of a radiator's work.
struct WorkUnit {
  std::string name;     ///< "chunk 3 (0.5 to 0.75 s)"
  double work = 0.0;    ///< expected, in RadiationPlan::work_unit
  double memory = 0.0;  ///< expected [byte]
};

/// Results that are needed but not stored.
class MissingUnits : public std::runtime_error {
 public:
  struct Missing {
    std::size_t unit;
    std::string problem;  ///< "is missing", "is damaged (wrong checksum)"
  };

  explicit MissingUnits(std::vector<Missing> units)
      : std::runtime_error("results are missing"), units_(std::move(units)) {}
  const std::vector<Missing>& units() const { return units_; }

 private:
  std::vector<Missing> units_;
};

/// The work of Radiator::radiate() as units that processes compute in any order, each once, and
/// store. All functions may be called from several threads.
class WorkUnits {
 public:
  using Advance = std::function<void(double fraction)>;  ///< 0 to 1

  virtual ~WorkUnits() = default;

  virtual const std::vector<WorkUnit>& list() const = 0;
  /// The file that stores the result of a unit, named by a hash of what it depends on.
  virtual std::filesystem::path file(std::size_t unit) const = 0;
  /// Whether an intact result is stored; reads all of it.
  virtual bool is_done(std::size_t unit) const = 0;
  /// Computes and stores a result. Throws InputError if it cannot be stored.
  virtual void compute(std::size_t unit, const Advance& advance) const = 0;
  /// The same bits as radiate() returns, from the stored results in their order. Throws
  /// MissingUnits.
  virtual std::vector<Signal> sum(SampleRange range, const Advance& advance) const = 0;
};

}  // namespace peal::base

#pragma once

#include <peal/base/listener.h>
#include <peal/base/work_units.h>
#include <peal/base/world.h>
#include <peal/util/progress.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace peal::base {

/// The choices and predictions of a radiator, reported before it starts and stored in the manifest.
struct RadiationPlan {
  std::string model;                     ///< "direct", "wave", ...
  std::vector<std::string> choices;      ///< one sentence each: what was chosen and why
  std::vector<std::string> diagnostics;  ///< what shapes the sound: nearest distance, Doppler shift
  std::vector<std::string> notices;      ///< what is inaudible, what is limited
  double work = 0.0;                     ///< amount of work, in units of the model's kernel
  std::string work_unit;                 ///< "delayed samples", "cell updates"

  /// Adds a sentence once; several sources at one point need only one.
  void add_diagnostic(const std::string& one) {
    if (std::ranges::find(diagnostics, one) == diagnostics.end()) diagnostics.push_back(one);
  }
};

/// Computes the pressure at receivers from sources.
class Radiator {
 public:
  virtual ~Radiator() = default;

  /// Checks the world (InputError if it cannot be rendered) and says what radiate() will do.
  virtual RadiationPlan plan(const World& world, std::span<const Receiver> receivers) const = 0;

  /// Pressure [Pa] at each receiver over `range`, independent of the number of threads.
  virtual std::vector<Signal> radiate(const World& world, std::span<const Receiver> receivers,
                                      SampleRange range, util::Progress& progress) const = 0;

  /// Estimated duration of radiate() for the whole scene on this machine [s], from a short trial.
  virtual double expected_seconds(const World& world,
                                  std::span<const Receiver> receivers) const = 0;

  /// The work of radiate() in units that several processes may compute; null if it is not divided.
  /// The radiator, the world and the receivers must outlive them, and not change.
  virtual std::unique_ptr<WorkUnits> units(const World&, std::span<const Receiver>) const {
    return nullptr;
  }
};

}  // namespace peal::base

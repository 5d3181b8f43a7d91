#pragma once

#include <peal/base/listener.h>
#include <peal/base/world.h>
#include <peal/util/progress.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace peal::base {

/// What a radiator decided and expects, said before it starts and kept in the manifest.
struct RadiationPlan {
  std::string model;                  ///< "direct", "wave", ...
  std::vector<std::string> choices;   ///< one sentence each: what was chosen and why
  std::vector<std::string> findings;  ///< why it will sound as it does: nearest distance, Doppler
  std::vector<std::string> notices;   ///< what is not heard, what is limited
  double work = 0.0;                  ///< in units of the model's kernel
  std::string work_unit;              ///< "delayed samples", "cell updates"

  /// Adds a finding; several sounds at one place need one sentence.
  void find(const std::string& finding) {
    if (std::ranges::find(findings, finding) == findings.end()) findings.push_back(finding);
  }
};

/// Turns what sources do into pressure at receivers.
class Radiator {
 public:
  virtual ~Radiator() = default;

  /// Checks the world (InputError if it cannot be rendered) and says what radiate() will do.
  virtual RadiationPlan plan(const World& world, std::span<const Receiver> receivers) const = 0;

  /// Pressure [Pa] at each receiver over `range`, the same whatever the number of threads.
  virtual std::vector<Signal> radiate(const World& world, std::span<const Receiver> receivers,
                                      SampleRange range, util::Progress& progress) const = 0;

  /// How long radiate() will take for the whole scene on this machine now [s], by a short trial.
  virtual double expected_seconds(const World& world,
                                  std::span<const Receiver> receivers) const = 0;
};

}  // namespace peal::base

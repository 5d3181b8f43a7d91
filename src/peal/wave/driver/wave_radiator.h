#pragma once

#include <peal/base/radiator.h>
#include <peal/base/radiator_options.h>
#include <peal/base/wave_settings.h>
#include <peal/wave/driver/chunk_run.h>

#include <memory>
#include <span>
#include <vector>

namespace peal::wave {

/// Solves the wave equation in the air around the bodies (Wang et al. 2018), which includes
/// occlusion, diffraction, resonance and Doppler shift. Sound that leaves the domain is propagated
/// to the receivers by an integral over a box around the bodies.
///
/// The sound is computed in independent chunks of time, one on each core, that are added up in
/// their order, so the result does not depend on the number of threads.
///
/// plan() decides what is computed. radiate() and expected_seconds() use that decision for the same
/// world and receivers, which must not change in between.
class WaveRadiator : public base::Radiator {
 public:
  explicit WaveRadiator(base::WaveSettings settings, base::RadiatorOptions options = {});

  base::RadiationPlan plan(const base::World& world,
                           std::span<const base::Receiver> receivers) const override;
  std::vector<base::Signal> radiate(const base::World& world,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range,
                                    util::Progress& progress) const override;
  double expected_seconds(const base::World& world,
                          std::span<const base::Receiver> receivers) const override;
  /// The chunks of time, stored in the cache of the options.
  std::unique_ptr<base::WorkUnits> units(const base::World& world,
                                         std::span<const base::Receiver> receivers) const override;

 private:
  base::WaveSettings settings_;
  base::RadiatorOptions options_;
  WavePlanner planner_;
};

}  // namespace peal::wave

#pragma once

#include <peal/base/radiator.h>
#include <peal/base/radiator_options.h>
#include <peal/base/wave_settings.h>
#include <peal/wave/driver/wave_plan.h>

namespace peal::wave {

/// Waves computed in the air around the bodies (Wang et al. 2018): occlusion, diffraction,
/// resonance, Doppler, all from the wave equation. What leaves the computed domain is carried on to
/// the receivers by an integral over a box around the bodies.
///
/// The sound is computed in chunks of time that do not know of each other, one on each core, and
/// added up in their order: the result does not depend on the number of threads.
///
/// plan() decides what is computed, and radiate() and expected_seconds() use that decision for the
/// same world and receivers, which must not change in between.
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

 private:
  base::WaveSettings settings_;
  base::RadiatorOptions options_;
  WavePlanner planner_;
};

}  // namespace peal::wave

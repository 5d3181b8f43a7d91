#pragma once

#include <peal/base/radiator.h>
#include <peal/base/rays_settings.h>

namespace peal::radiation {

/// Surfaces heard along straight rays: every small piece of a sounding surface sends its own sound
/// to every receiver, with its travel time, distance and angle; nothing is reflected or bent around
/// corners. Point sources are heard as in DirectRadiator.
///
/// `kirchhoff` is the retarded integral over the whole surface,
///
///     p = sum A / (4 pi R) [ rho a_n + cos (p_s' / c + p_s / R) ],   p_s = Z a_n / s
///     Z = rho c x (1 + x) / (2 + 2 x + x^2),   x = s a / c,   a = sqrt(area / 4 pi)
///
/// with the pressure p_s on the surface that a rigid sphere of the same area feels when it swings:
/// exact for that, within 1.5 dB for one that pulsates. Only other bodies stand in the way.
/// `rayleigh` is 2 rho a_n A / (4 pi R) of what can be seen, exact in a wall. `paper` is
/// O'Brien, Cook & Essl 2001: z v_n A cos / R of what can be seen, through their filter against
/// constant pressure with alpha = 0.1 at the rate of audio; its level has no unit and falls by 6 dB
/// an octave too much.
class RaysRadiator : public base::Radiator {
 public:
  explicit RaysRadiator(const base::RaysSettings& settings) : settings_(settings) {}

  base::RadiationPlan plan(const base::World& world,
                           std::span<const base::Receiver> receivers) const override;
  std::vector<base::Signal> radiate(const base::World& world,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range,
                                    util::Progress& progress) const override;
  /// Times a short stretch in which surfaces sound and scales it up.
  double expected_seconds(const base::World& world,
                          std::span<const base::Receiver> receivers) const override;

 private:
  base::RaysSettings settings_;
};

}  // namespace peal::radiation

#pragma once

#include <peal/base/radiator.h>
#include <peal/base/rays_settings.h>

namespace peal::radiation {

/// Renders surfaces along straight rays: every small part of a sounding surface sends its own sound
/// to every receiver, with its travel time, distance and angle; there is no reflection or
/// diffraction. Point sources are rendered as by DirectRadiator.
///
/// `kirchhoff` is the retarded integral over the whole surface,
///
///     p = sum A / (4 pi R) [ rho a_n + cos (p_s' / c + p_s / R) ],   p_s = Z a_n / s
///     Z = rho c x (1 + x) / (2 + 2 x + x^2),   x = s a / c,   a = sqrt(area / 4 pi)
///
/// with the surface pressure p_s of an oscillating rigid sphere of the same area. It is exact for
/// such a sphere and within 1.5 dB for a pulsating one. Only other bodies occlude the surface.
/// `rayleigh` is 2 rho a_n A / (4 pi R) of the visible part, exact in a wall. `paper` is
/// O'Brien, Cook & Essl 2001: z v_n A cos / R of the visible part, through their filter against
/// constant pressure with alpha = 0.1 at the audio rate; its level has no unit and falls by 6 dB
/// per octave too much.
class RaysRadiator : public base::Radiator {
 public:
  explicit RaysRadiator(const base::RaysSettings& settings) : settings_(settings) {}

  base::RadiationPlan plan(const base::World& world,
                           std::span<const base::Receiver> receivers) const override;
  std::vector<base::Signal> radiate(const base::World& world,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range,
                                    util::Progress& progress) const override;
  /// Times a short interval in which surfaces sound and extrapolates to the whole scene.
  double expected_seconds(const base::World& world,
                          std::span<const base::Receiver> receivers) const override;

 private:
  base::RaysSettings settings_;
};

}  // namespace peal::radiation

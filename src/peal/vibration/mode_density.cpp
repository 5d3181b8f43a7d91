#include <peal/vibration/mode_density.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::vibration {

namespace {

constexpr double surface_term = 2.5;
constexpr double rigid_modes = 6.0;
/// What makes modes indistinct.
constexpr double enough_modes = 60.0, overlapping_modes = 10.0;
/// Loss factor with which a mode lives for ten cycles, 1 / (pi eta).
constexpr double strong_loss = 0.1 / std::numbers::pi;
constexpr double highest_limit = 1e6;  // [Hz]

double cube(double x) {
  return x * x * x;
}

}  // namespace

double shear_speed(const base::Material& material) {
  return std::sqrt(base::softest_young_modulus(material) / (2.0 * (1.0 + material.poisson_ratio)) /
                   material.density);
}

double expected_modes(const SolidSize& size, const base::Material& material, double frequency) {
  const double nu = material.poisson_ratio, shear = shear_speed(material);
  const double pressure = shear * std::sqrt(2.0 * (1.0 - nu) / std::max(1.0 - 2.0 * nu, 1e-6));
  const double bulk = 4.0 * std::numbers::pi / 3.0 * size.volume * cube(frequency) *
                          (2.0 / cube(shear) + 1.0 / cube(pressure)) +
                      surface_term * size.area * frequency * frequency / (shear * shear);
  const double thickness = 2.0 * size.volume / size.area;
  const double plate =
      0.25 * size.area / thickness *
      std::sqrt(12.0 * material.density * (1.0 - nu * nu) / base::softest_young_modulus(material)) *
      frequency;
  return std::max({0.0, bulk - rigid_modes, plate - rigid_modes});
}

std::optional<double> ringing_limit(const SolidSize& size, const base::Material& material) {
  constexpr double step = 1.02;
  for (double f = 1.0; f < highest_limit; f *= step) {
    const double count = expected_modes(size, material, f);
    if (count < enough_modes) continue;
    const double decay = material.damping.decay_rate(f);
    if (decay < std::numbers::pi * f * strong_loss) continue;
    const double per_hertz =
        (expected_modes(size, material, step * f) - count) / ((step - 1.0) * f);
    if (decay / std::numbers::pi * per_hertz >= overlapping_modes) return f;
  }
  return std::nullopt;
}

}  // namespace peal::vibration

#include <peal/bubbles/spectrum.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::bubbles {

namespace {

constexpr double small_slope = -1.5, large_slope = -10.0 / 3.0;

/// Integral of a^slope from a to b.
double power_integral(double slope, double a, double b) {
  const double n = slope + 1.0;
  return (std::pow(b, n) - std::pow(a, n)) / n;
}

/// b with power_integral(slope, a, b) == integral.
double power_end(double slope, double a, double integral) {
  const double n = slope + 1.0;
  return std::pow(std::pow(a, n) + n * integral, 1.0 / n);
}

// Radii in units of the Hinze scale, at which both branches are 1.
constexpr double lowest_radius = BubbleSpectrum::smallest / BubbleSpectrum::hinze;
constexpr double highest_radius = BubbleSpectrum::largest / BubbleSpectrum::hinze;

}  // namespace

BubbleSpectrum::BubbleSpectrum() {
  const double small = power_integral(small_slope, lowest_radius, 1.0);
  const double large = power_integral(large_slope, 1.0, highest_radius);
  small_part_ = small / (small + large);
  const double cubes = power_integral(small_slope + 3.0, lowest_radius, 1.0) +
                       power_integral(large_slope + 3.0, 1.0, highest_radius);
  mean_volume_ = 4.0 / 3.0 * std::numbers::pi * hinze * hinze * hinze * cubes / (small + large);
}

double BubbleSpectrum::radius(double part) const {
  part = std::clamp(part, 0.0, 1.0);
  if (part < small_part_) {
    const double all = power_integral(small_slope, lowest_radius, 1.0);
    return hinze * power_end(small_slope, lowest_radius, all * part / small_part_);
  }
  const double all = power_integral(large_slope, 1.0, highest_radius);
  return hinze * power_end(large_slope, 1.0, all * (part - small_part_) / (1.0 - small_part_));
}

}  // namespace peal::bubbles

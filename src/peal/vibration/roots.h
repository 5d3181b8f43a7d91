#pragma once

#include <cmath>
#include <optional>

namespace peal::vibration {

/// The root of a smooth function in (low, high] if its sign changes there, to rounding error:
/// regula falsi (Illinois), with a bisection every third step to guarantee convergence.
template <class Function>
std::optional<double> root_between(const Function& f, double low, double high) {
  double at_low = f(low), at_high = f(high);
  if (at_high == 0.0) return high;
  if (at_low == 0.0 || (at_low > 0.0) == (at_high > 0.0)) return std::nullopt;
  int side = 0;
  for (int pass = 0; pass < 200 && high - low > 4e-16 * std::abs(high); ++pass) {
    double x = 0.5 * (low + high);
    if (pass % 3 != 2) {
      const double crossing = (low * at_high - high * at_low) / (at_high - at_low);
      if (crossing > low && crossing < high) x = crossing;
    }
    const double value = f(x);
    if (value == 0.0) return x;
    if ((value > 0.0) == (at_low > 0.0)) {
      low = x;
      at_low = value;
      if (side == -1) at_high *= 0.5;
      side = -1;
    } else {
      high = x;
      at_high = value;
      if (side == 1) at_low *= 0.5;
      side = 1;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace peal::vibration

#include <peal/bubbles/capacitance.h>

#include <algorithm>
#include <cmath>

namespace peal::bubbles {

namespace {

/// sinh a times the sum of sign^(n+1) / sinh(n a).
double image_series(double distance, double sign) {
  if (std::isinf(distance)) return 1.0;
  const double ratio = std::max(distance, closest_distance);
  const double a = std::acosh(ratio);
  double sum = 0.0, term_sign = 1.0;
  for (int n = 1;; ++n) {
    const double term = 1.0 / std::sinh(static_cast<double>(n) * a);
    sum += term_sign * term;
    term_sign *= sign;
    if (term < 1e-16 * sum || !std::isfinite(term)) break;
  }
  return std::sinh(a) * sum;
}

}  // namespace

double capacitance_below_surface(double distance) {
  return image_series(distance, 1.0);
}

double capacitance_beside_wall(double distance) {
  return image_series(distance, -1.0);
}

double quick_capacitance_below_surface(double distance) {
  const double x = 0.5 / std::max(distance, closest_distance);
  return 1.0 / (1.0 - x - x * x * x * x);
}

double quick_capacitance_beside_wall(double distance) {
  return 1.0 / (1.0 + 0.5 / std::max(distance, closest_distance));
}

}  // namespace peal::bubbles

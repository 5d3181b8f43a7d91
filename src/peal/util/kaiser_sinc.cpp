#include <peal/util/kaiser_sinc.h>

#include <cmath>
#include <numbers>

namespace peal::util {

double kaiser_sinc(double x, double half, double beta) {
  const double edge = x / half;
  if (std::abs(edge) >= 1.0) return 0.0;
  const double sinc =
      std::abs(x) < 1e-9 ? 1.0 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
  const double window =
      std::cyl_bessel_i(0.0, beta * std::sqrt(1.0 - edge * edge)) / std::cyl_bessel_i(0.0, beta);
  return sinc * window;
}

}  // namespace peal::util

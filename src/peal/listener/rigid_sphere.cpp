#include <peal/base/spherical_waves.h>
#include <peal/listener/rigid_sphere.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace peal::listener {

using Complex = std::complex<double>;

Complex sphere_response(double frequency, double radius, double distance, double cosine,
                        double speed_of_sound) {
  constexpr double still = 1e-2;  ///< the ka below which H is that of this ka, within 1e-4
  const double k = std::max(2.0 * std::numbers::pi * frequency / speed_of_sound, still / radius);
  const double ka = k * radius, kr = k * distance;
  // Beyond the wavelength the terms fall as (a / r)^m.
  constexpr double smallest = 1e-7;
  const double by_distance = std::log(smallest) / std::log(radius / distance);
  const int order = static_cast<int>(std::ceil(ka + 10.0 + std::min(by_distance, 90.0)));
  std::vector<Complex> at_source(static_cast<std::size_t>(order) + 2),
      at_surface(static_cast<std::size_t>(order) + 2);
  base::spherical_hankel_up_to(order + 1, kr, at_source);
  base::spherical_hankel_up_to(order + 1, ka, at_surface);
  Complex sum = 0.0;
  double legendre = 1.0, before = 0.0;
  for (int m = 0; m <= order; ++m) {
    const auto i = static_cast<std::size_t>(m);
    const Complex slope = static_cast<double>(m) / ka * at_surface[i] - at_surface[i + 1];
    if (!(std::norm(slope) < 1e290)) break;  // the rest is below what rounding leaves
    sum += (2.0 * m + 1.0) * legendre * at_source[i] / slope;
    const double next = ((2.0 * m + 1.0) * cosine * legendre - m * before) / (m + 1.0);
    before = legendre;
    legendre = next;
  }
  return -distance / (k * radius * radius) * std::polar(1.0, kr) * sum;
}

double sphere_delay(double radius, double distance, double cosine, double speed_of_sound) {
  const double horizon = radius / distance;
  if (cosine >= horizon) {
    const double way =
        std::sqrt(radius * radius + distance * distance - 2.0 * radius * distance * cosine);
    return (way - distance) / speed_of_sound;
  }
  const double around = std::acos(std::clamp(cosine, -1.0, 1.0)) - std::acos(horizon);
  const double way = std::sqrt(distance * distance - radius * radius) + radius * around;
  return (way - distance) / speed_of_sound;
}

}  // namespace peal::listener

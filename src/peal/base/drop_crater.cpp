#include <peal/base/drop_crater.h>

#include <algorithm>
#include <cmath>

namespace peal::base {

double drop_froude_number(double diameter, double speed, double gravity) {
  return speed * speed / (gravity * diameter);
}

double crater_time(double diameter, double speed, double gravity) {
  const double froude = drop_froude_number(diameter, speed, gravity);
  return std::sqrt(diameter * std::pow(froude, 0.25) / gravity);
}

double crater_closing_time(double diameter, double speed, double gravity) {
  constexpr double slower = 34.6, faster = 64.4;  // Froude numbers of the simulations
  constexpr double slower_time = 0.82, faster_time = 0.76;
  const double froude = drop_froude_number(diameter, speed, gravity);
  const double x = std::clamp(std::log(froude / slower) / std::log(faster / slower), 0.0, 1.0);
  return (slower_time + x * (faster_time - slower_time)) * crater_time(diameter, speed, gravity);
}

}  // namespace peal::base

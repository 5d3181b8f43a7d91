#include <peal/bubbles/forcing.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::bubbles {

namespace {

double effective_mass(double capacitance, const base::Liquid& liquid) {
  return liquid.density / (4.0 * std::numbers::pi * capacitance);
}

/// sigma gamma p_in / (rho R^3), the common part of all forcings.
double neck_pressure(double radius, const base::Liquid& liquid) {
  const double inside = liquid.pressure + 2.0 * liquid.surface_tension / radius;
  return liquid.surface_tension * liquid.heat_capacity_ratio * inside /
         (liquid.density * radius * radius * radius);
}

double neck_duration(double radius) {
  return std::min(longest_forcing, radius / neck_speed);
}

}  // namespace

Forcing neck_forcing(double begin, double radius, double capacitance, double cone,
                     const base::Liquid& liquid) {
  const double force =
      -9.0 / 4.0 * cone * std::sqrt(1.0 + cone * cone) * neck_pressure(radius, liquid);
  return {begin, neck_duration(radius), force / effective_mass(capacitance, liquid)};
}

Forcing merge_forcing(double begin, double radius, double capacitance, double r1, double r2,
                      double neck_part, const base::Liquid& liquid) {
  const double width = neck_part * std::min(r1, r2) / 2.0;
  const double rate =
      std::sqrt(2.0 * liquid.surface_tension * r1 * r2 / (liquid.density * (r1 + r2)));
  return {begin, std::min(neck_duration(radius), width * width / rate),
          6.0 * neck_pressure(radius, liquid) / effective_mass(capacitance, liquid)};
}

Forcing scaled_to(Forcing forcing, double amplitude) {
  const double peak = std::abs(forcing.curvature) * forcing.duration * forcing.duration;
  if (peak > 0.0) forcing.curvature *= amplitude / peak;
  return forcing;
}

}  // namespace peal::bubbles

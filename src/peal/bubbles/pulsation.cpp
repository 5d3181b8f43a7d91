#include <peal/bubbles/pulsation.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace peal::bubbles {

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

/// Pressure of the liquid [Pa].
double ambient_pressure(const base::Liquid& liquid, double head) {
  return liquid.pressure + liquid.density * liquid.gravity * std::max(head, 0.0);
}

/// Complex stiffness of the gas; its real part is three times the polytropic exponent.
Complex gas_stiffness(double omega, double radius, const base::Liquid& liquid) {
  const double gamma = liquid.heat_capacity_ratio;
  const double chi = liquid.thermal_diffusivity / (omega * radius * radius);
  const Complex root = std::sqrt(Complex(0.0, 1.0 / chi));
  // coth is 1 to the last digit beyond, where cosh and sinh would overflow.
  const Complex coth = root.real() > 40.0 ? Complex(1.0) : 1.0 / std::tanh(root);
  return 3.0 * gamma / (1.0 - Complex(0.0, 3.0 * (gamma - 1.0) * chi) * (root * coth - 1.0));
}

double radiation_damping(double omega, double radius, const base::Liquid& liquid) {
  return omega * omega * radius / (2.0 * liquid.speed_of_sound);
}

double viscous_damping(double radius, const base::Liquid& liquid) {
  return 2.0 * liquid.viscosity / (liquid.density * radius * radius);
}

}  // namespace

double Pulsation::frequency() const {
  return omega / (2.0 * pi);
}

double Pulsation::decay_time() const {
  return 3.0 * std::numbers::ln10 / beta();
}

double minnaert_frequency(double radius, const base::Liquid& liquid, double head) {
  return std::sqrt(3.0 * liquid.heat_capacity_ratio * ambient_pressure(liquid, head) /
                   liquid.density) /
         (2.0 * pi * radius);
}

double adiabatic_frequency(double radius, const base::Liquid& liquid, double head) {
  const double tension = 2.0 * liquid.surface_tension / radius;
  const double inside = ambient_pressure(liquid, head) + tension;
  return std::sqrt((3.0 * liquid.heat_capacity_ratio * inside - tension) / liquid.density) /
         (2.0 * pi * radius);
}

Pulsation pulsation(double radius, const base::Liquid& liquid, double head, double capacitance) {
  const double tension = 2.0 * liquid.surface_tension / radius;
  const double inside = ambient_pressure(liquid, head) + tension;
  const double scale = inside / (liquid.density * radius * radius);
  double omega = 2.0 * pi * adiabatic_frequency(radius, liquid, head) * std::sqrt(capacitance);
  Complex stiffness;
  // The stiffness depends weakly on the frequency: each round gains two digits or more.
  for (int round = 0; round < 20; ++round) {
    stiffness = gas_stiffness(omega, radius, liquid);
    // The smallest bubbles, where gas is isothermal, keep a positive stiffness: 3 > 2.
    const double next = std::sqrt(capacitance * scale * (stiffness.real() - tension / inside));
    const bool settled = std::abs(next - omega) < 1e-12 * omega;
    omega = next;
    if (settled) break;
  }
  return {.omega = omega,
          .thermal = capacitance * scale * stiffness.imag() / (2.0 * omega),
          .viscous = viscous_damping(radius, liquid),
          .radiation = radiation_damping(omega, radius, liquid)};
}

Pulsation quick_pulsation(double radius, const base::Liquid& liquid, double head,
                          double capacitance) {
  constexpr double thermal_constant = 1.6e6;  ///< G [Hz], of air in water
  const double gamma = liquid.heat_capacity_ratio;
  const double omega =
      2.0 * pi * adiabatic_frequency(radius, liquid, head) * std::sqrt(capacitance);
  const double phi =
      16.0 * thermal_constant * 2.0 * pi / (9.0 * (gamma - 1.0) * (gamma - 1.0) * omega);
  const double thermal =
      2.0 * (std::sqrt(std::max(phi - 3.0, 0.0)) - (3.0 * gamma - 1.0) / (3.0 * (gamma - 1.0))) /
      (phi - 4.0);
  const double by_radiation = 2.0 * radiation_damping(omega, radius, liquid) / omega;
  const double by_viscosity = 2.0 * viscous_damping(radius, liquid) / omega;
  const double delta = thermal + by_radiation + by_viscosity;
  const double part = omega / std::sqrt(delta * delta + 4.0);
  return {.omega = omega,
          .thermal = part * thermal,
          .viscous = part * by_viscosity,
          .radiation = part * by_radiation};
}

}  // namespace peal::bubbles

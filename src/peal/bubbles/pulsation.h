#pragma once

#include <peal/base/liquid.h>

namespace peal::bubbles {

/// Free pulsation of a bubble, e^{-beta t} cos(omega t).
struct Pulsation {
  double omega = 0.0;      ///< natural angular frequency [rad/s]
  double thermal = 0.0;    ///< parts of beta [1/s]: heat that flows into the liquid,
  double viscous = 0.0;    ///< viscosity of the liquid,
  double radiation = 0.0;  ///< sound that leaves in the liquid

  double beta() const { return thermal + viscous + radiation; }  ///< [1/s]
  double frequency() const;                                      ///< omega / (2 pi) [Hz]
  double decay_time() const;                                     ///< T60, 60 dB [s]
};

/// Minnaert 1933: the frequency of a spherical bubble of a gas that keeps its heat, without surface
/// tension, f = 1 / (2 pi R) (3 gamma p0 / rho)^(1/2) [Hz]; `head` is the height of liquid above
/// [m].
double minnaert_frequency(double radius, const base::Liquid& liquid, double head = 0.0);

/// The same with the pressure of the surface tension,
/// omega^2 = (3 gamma p_in - 2 sigma / R) / (rho R^2), p_in = p0 + rho g head + 2 sigma / R [Hz].
double adiabatic_frequency(double radius, const base::Liquid& liquid, double head = 0.0);

/// Prosperetti 1977 (in the form of Commander & Prosperetti 1989, equations 26 to 31): the gas
/// exchanges heat with the liquid,
///
///   Phi = 3 gamma / (1 - 3 (gamma - 1) i chi [(i/chi)^(1/2) coth (i/chi)^(1/2) - 1]),
///   omega^2 = p_in / (rho R^2) (Re Phi - 2 sigma / (R p_in)),   chi = D / (omega R^2),
///   beta = p_in Im Phi / (2 omega rho R^2) + 2 mu / (rho R^2) + omega^2 R / (2 c).
///
/// `capacitance` over R raises omega^2 (its surroundings; 1: alone), and the gas answers at the
/// frequency that results.
Pulsation pulsation(double radius, const base::Liquid& liquid, double head = 0.0,
                    double capacitance = 1.0);

/// Devin 1959, in closed form: delta = omega R / c + 4 mu / (rho omega R^2) + delta_th, with
/// delta_th = 2 [(phi - 3)^(1/2) - (3 gamma - 1) / (3 (gamma - 1))] / (phi - 4),
/// phi = 16 G g / (9 (gamma - 1)^2 f), beta = omega delta / (delta^2 + 4)^(1/2). g = 1 has no unit
/// and f is in hertz: some programs write 9.8 or an angular frequency, and ring 14 to 80 % too
/// long.
Pulsation quick_pulsation(double radius, const base::Liquid& liquid, double head = 0.0,
                          double capacitance = 1.0);

}  // namespace peal::bubbles

#pragma once

#include <peal/base/material.h>

#include <optional>

namespace peal::vibration {

/// Size of a solid, as far as it decides how many modes there are.
struct SolidSize {
  double volume = 0.0;  ///< [m^3]
  double area = 0.0;    ///< of its surface [m^2]
};

double shear_speed(const base::Material& material);  ///< speed of shear waves [m/s]

/// The expected number of elastic modes of a free solid below a frequency [Hz]: Weyl's law for its
/// volume with a term for its surface,
///     N = 4 pi / 3 V f^3 (2 / c_s^3 + 1 / c_l^3) + 2.5 S f^2 / c_s^2 - 6
/// (the factor 2.5 is measured on a ball; others have 1.7 to 3.4), or the number of bending modes
/// of a plate of the same volume and surface, S / 4 (12 rho (1 - nu^2) / (E t^2))^(1/2) f, if that
/// is larger.
double expected_modes(const SolidSize& size, const base::Material& material, double frequency);

/// The frequency above which a strongly damped body does not ring [Hz]: it has at least 60 modes
/// below, they decay within ten cycles, and ten of them lie within the bandwidth of one. nullopt if
/// there is no such frequency below 1 MHz.
std::optional<double> ringing_limit(const SolidSize& size, const base::Material& material);

}  // namespace peal::vibration

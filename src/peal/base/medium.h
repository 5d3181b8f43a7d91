#pragma once

namespace peal::base {

/// The fluid that carries the sound. Defaults are air as in Wang et al. 2018, section 3.1.
struct Medium {
  double speed_of_sound = 343.2;  ///< c [m/s]
  double density = 1.2041;        ///< rho [kg/m^3]
};

/// Largest Mach number of anything that moves: sound must travel well ahead of its source.
inline constexpr double largest_mach = 0.95;

}  // namespace peal::base

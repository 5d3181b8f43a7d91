#pragma once

namespace peal::base {

/// A liquid and the gas in its bubbles. Defaults are water and air at 20 degrees Celsius.
struct Liquid {
  double density = 998.2;                ///< rho [kg/m^3]
  double speed_of_sound = 1482.0;        ///< c [m/s]
  double viscosity = 1.002e-3;           ///< mu, dynamic [Pa s]
  double surface_tension = 0.0725;       ///< sigma [N/m]
  double heat_capacity_ratio = 1.4;      ///< gamma of the gas
  double thermal_diffusivity = 2.08e-5;  ///< D of the gas [m^2/s]
  double pressure = 101325.0;            ///< p0 at the surface [Pa]
  double gravity = 9.81;                 ///< [m/s^2]
};

}  // namespace peal::base

#pragma once

namespace peal::base {

/// Speed squared over gravity and diameter.
double drop_froude_number(double diameter, double speed, double gravity);

/// The time scale of the crater of a drop [s]: (D Fr^(1/4) / g)^(1/2), that of a fall over its
/// depth.
double crater_time(double diameter, double speed, double gravity);

/// From the impact of a drop to the closing of its crater, if it closes [s]: between those of two
/// two-phase simulations (axisymmetric, cells of 0.06 mm), 25.1 ms for 3.8 mm at 1.55 m/s and 27.7
/// ms for 4.6 mm at 1.25 m/s, in units of crater_time() over the logarithm of Froude's number.
double crater_closing_time(double diameter, double speed, double gravity);

}  // namespace peal::base

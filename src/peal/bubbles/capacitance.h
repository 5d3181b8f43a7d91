#pragma once

namespace peal::bubbles {

/// Capacitance C of a sphere over its radius: how much of the liquid around a bubble moves with it.
/// The frequency of a bubble goes with the root of C, its effective mass is rho / (4 pi C). Alone
/// in the liquid C / R = 1.
///
/// `distance` is that of the centre over the radius. Closer than `closest_distance` the liquid
/// between is a film that drains, and the surface is no plane: the values are those there.
inline constexpr double closest_distance = 1.05;

/// Below a free surface, which is a sphere of opposite charge behind it:
/// C / R = sinh a sum 1 / sinh(n a), cosh a = d / R (Smythe 1968, section 5.08).
double capacitance_below_surface(double distance);
/// Beside a rigid wall: the other sphere has the same charge, and terms alternate in sign.
double capacitance_beside_wall(double distance);

/// The first images of Strasberg 1953: 1 / (1 - R / 2d - (R / 2d)^4), within 8 % of the exact value
/// at d = 1.1 R and 0.06 % at 2 R.
double quick_capacitance_below_surface(double distance);
/// 1 / (1 + R / 2d).
double quick_capacitance_beside_wall(double distance);

}  // namespace peal::bubbles

#pragma once

#include <peal/vibration/ideal_shape.h>

namespace peal::vibration {

/// A membrane over any simple polygon of corners (x, z), counter-clockwise, fixed at its rim.
/// Finite elements of high order on triangles that shrink geometrically towards the corners whose
/// angle is no whole part of a half turn, where eigenfunctions are singular (hp method, Babuska &
/// Guo 1986): upper bounds of the frequencies with errors of 1e-7 and less, with the change that
/// the last order made as `relative_error`. At most 300 modes.
std::unique_ptr<IdealShape> polygon_membrane(const geometry::Polygon& outline,
                                             double tension,        ///< T [N/m]
                                             double areal_density,  ///< sigma [kg/m^2]
                                             const ModeLimits& limits);

}  // namespace peal::vibration

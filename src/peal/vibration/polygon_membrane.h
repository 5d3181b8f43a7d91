#pragma once

#include <peal/vibration/ideal_shape.h>

namespace peal::vibration {

/// A membrane over any simple polygon of corners (x, z), counter-clockwise, with holes (clockwise),
/// fixed at all rims. The modes are computed by finite elements of high order on triangles that
/// shrink geometrically towards the corners whose angle is not pi / n, where eigenfunctions are
/// singular (hp method, Babuska & Guo 1986). The frequencies are upper bounds with errors of at
/// most 1e-7; `relative_error` is the change made by the last order. There are at most 300 modes.
std::unique_ptr<IdealShape> polygon_membrane(const geometry::Polygon& outline,
                                             double tension,        ///< T [N/m]
                                             double areal_density,  ///< sigma [kg/m^2]
                                             const ModeLimits& limits,
                                             const std::vector<geometry::Polygon>& holes = {});

}  // namespace peal::vibration

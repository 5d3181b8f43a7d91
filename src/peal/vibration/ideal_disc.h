#pragma once

#include <peal/vibration/ideal_rectangle.h>

namespace peal::vibration {

/// A circular membrane around the origin, fixed at its rim: f = j_nm / (2 pi a) sqrt(T / sigma)
/// with the zeros j_nm of Bessel's J_n. Modes with n > 0 come in pairs, cos and sin of n times the
/// azimuth (from +x towards +z).
std::unique_ptr<IdealShape> circular_membrane(double radius,         ///< a [m]
                                              double tension,        ///< T [N/m]
                                              double areal_density,  ///< sigma [kg/m^2]
                                              const ModeLimits& limits);

/// A circular Kirchhoff plate with modes J_n(k r) + C I_n(k r) and f = (k a)^2 / (2 pi a^2) sqrt(D
/// / (rho h)); rigid motions are omitted.
std::unique_ptr<IdealShape> circular_plate(double radius,             ///< a [m]
                                           double bending_stiffness,  ///< D [N m]
                                           double poisson_ratio,      ///< nu
                                           double areal_density,      ///< rho h [kg/m^2]
                                           PlateEdge edge, const ModeLimits& limits);

}  // namespace peal::vibration

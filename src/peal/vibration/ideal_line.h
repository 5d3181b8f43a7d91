#pragma once

#include <peal/scene/ideal_shape.h>
#include <peal/vibration/ideal_shape.h>

namespace peal::vibration {

/// A taut string from x = -length/2 to length/2, fixed at both ends: f_n = n / (2 L) sqrt(T / mu)
/// sqrt(1 + B n^2). A stiff one is pinned, and B = pi^2 E I / (T L^2) (Fletcher & Rossing 1998,
/// equation 2.67a).
std::unique_ptr<IdealShape> string_modes(double length,          ///< L [m]
                                         double tension,         ///< T [N]
                                         double linear_density,  ///< mu [kg/m]
                                         const ModeLimits& limits,
                                         double bending_stiffness = 0.0);  ///< E I [N m^2]

using scene::BarEnd;

/// An Euler-Bernoulli bar from x = -length/2 (end condition `left`) to length/2: f = (beta L)^2 /
/// (2 pi L^2) sqrt(E I / (rho A)). Rigid motions are omitted.
std::unique_ptr<IdealShape> bar_modes(double length,             ///< L [m]
                                      double bending_stiffness,  ///< E I [N m^2]
                                      double linear_density,     ///< rho A [kg/m]
                                      BarEnd left, BarEnd right, const ModeLimits& limits);

}  // namespace peal::vibration

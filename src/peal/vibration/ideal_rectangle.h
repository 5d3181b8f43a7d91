#pragma once

#include <peal/scene/ideal_shape.h>
#include <peal/vibration/ideal_shape.h>

namespace peal::vibration {

using scene::PlateEdge;

/// A membrane over |x| <= size.x/2, |z| <= size.y/2, fixed at its rim:
/// f = 1/2 sqrt(T / sigma) sqrt((m / Lx)^2 + (n / Lz)^2).
std::unique_ptr<IdealShape> rectangular_membrane(const Vec2& size,
                                                 double tension,        ///< T [N/m]
                                                 double areal_density,  ///< sigma [kg/m^2]
                                                 const ModeLimits& limits);

/// A Kirchhoff plate over the same rectangle.
struct RectangularPlate {
  Vec2 size = Vec2::Ones();        ///< along x and z [m]
  double bending_stiffness = 0.0;  ///< D = E h^3 / (12 (1 - nu^2)) [N m]
  double poisson_ratio = 0.0;      ///< nu
  double areal_density = 0.0;      ///< rho h [kg/m^2]
  PlateEdge low_x = PlateEdge::free, high_x = PlateEdge::free;
  PlateEdge low_z = PlateEdge::free, high_z = PlateEdge::free;
};

/// With all edges simply supported, the modes are exact: f = pi/2 sqrt(D / (rho h)) ((m / Lx)^2 +
/// (n / Lz)^2). Otherwise they are computed by Ritz's method with polynomials that satisfy the
/// conditions on displacement and slope, as many as bring each mode's estimated error below 1e-6.
/// These frequencies are upper bounds; `relative_error` is the change made by the last two
/// polynomials per axis. Rigid motions are omitted.
std::unique_ptr<IdealShape> rectangular_plate(const RectangularPlate& plate,
                                              const ModeLimits& limits);

}  // namespace peal::vibration

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <vector>

namespace peal::vibration {

/// A point of the area over which a force is spread, and its part of the force.
struct PatchPoint {
  geometry::Vec3 at;    ///< [m]
  double weight = 0.0;  ///< they add up to 1
};

/// Points of a disc across `normal` under Hertz's pressure, 3 / (2 pi a^2) sqrt(1 - (r / a)^2). The
/// mean of a wave of wavenumber k over it is 3 (sin ka - ka cos ka) / (ka)^3: within 0.1 % for ka
/// up to 12. A patch of radius zero is its middle.
std::vector<PatchPoint> contact_patch(const geometry::Vec3& middle, const geometry::Vec3& normal,
                                      double radius);

}  // namespace peal::vibration

#pragma once

#include <peal/geometry/mesh/triangle.h>

namespace peal::base {

/// Integrals over a flat triangle, seen from a point, in closed form.
struct LayerIntegrals {
  double inverse_distance = 0.0;  ///< of 1 / R (Wilton et al. 1984) [m]
  /// Of (n . (y - x)) / R^3 times the hat function of each corner: how much of the solid angle each
  /// has; positive if the point is behind the triangle (de Munck 1992) [sr].
  geometry::Vec3 solid_angles = geometry::Vec3::Zero();

  LayerIntegrals(const geometry::Corners& corners, const geometry::Vec3& point);
};

}  // namespace peal::base

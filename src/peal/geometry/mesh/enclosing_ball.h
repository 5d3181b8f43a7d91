#pragma once

#include <peal/geometry/mesh/vector.h>

#include <span>

namespace peal::geometry {

/// A ball that holds a set of points.
struct Ball {
  Vec3 centre = Vec3::Zero();  ///< [m]
  double radius = 0.0;         ///< [m]
};

/// The smallest ball that encloses all points, within `tolerance` of its radius (Badoiu & Clarkson
/// 2003, with the farthest point pulled in by steps of 1 / i; every point is inside).
Ball enclosing_ball(std::span<const Vec3> points, double tolerance = 1e-3);

}  // namespace peal::geometry

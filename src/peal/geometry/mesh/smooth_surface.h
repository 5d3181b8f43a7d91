#pragma once

#include <peal/geometry/mesh/vector.h>

#include <numbers>

// How a mesh represents a smooth surface, for collision, contact and shape recognition.

namespace peal::geometry {

/// Largest angle between faces of one smooth surface; at larger angles there is an edge between
/// them [rad].
inline constexpr double sharpest_bend = std::numbers::pi / 6.0;

/// Contribution of a triangle to the normal at one of its corners, at which the edges `a` and `b`
/// begin. With the weights of N. Max, "Weights for computing vertex normals from facet normals"
/// (1999), the sum over all around is exact where the vertices lie on a sphere.
inline Vec3 corner_normal(const Vec3& a, const Vec3& b) {
  return a.cross(b) / (a.squaredNorm() * b.squaredNorm());
}

}  // namespace peal::geometry

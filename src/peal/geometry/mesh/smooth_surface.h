#pragma once

#include <peal/geometry/mesh/vector.h>

#include <numbers>

// How a mesh stands for a smooth surface, wherever one is made of it: to collide, to press, to be
// recognised.

namespace peal::geometry {

/// Faces that meet at less are one round face, at more they have an edge between them [rad].
inline constexpr double sharpest_bend = std::numbers::pi / 6.0;

/// What a triangle adds to the normal at one of its corners, from which the edges `a` and `b` go
/// out: with the weights of N. Max, "Weights for computing vertex normals from facet normals"
/// (1999), the sum over all around is exact where the vertices lie on a sphere.
inline Vec3 corner_normal(const Vec3& a, const Vec3& b) {
  return a.cross(b) / (a.squaredNorm() * b.squaredNorm());
}

}  // namespace peal::geometry

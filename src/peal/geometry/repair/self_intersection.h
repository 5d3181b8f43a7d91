#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/mesh/triangle.h>

namespace peal::geometry {

/// True if two triangles cross: they have more than a point in common, other than a piece of a
/// side of each. Coplanar triangles cross if they overlap with an area. Touching to within
/// rounding does not count. Interval test of Moeller 1997.
bool triangles_cross(const Corners& a, const Corners& b);

struct SelfIntersections {
  std::vector<std::array<std::uint32_t, 2>> pairs;  ///< triangles, the lower index first
  bool complete = true;                             ///< false if the search was cut short
};

/// Pairs of triangles that cross and share no vertex position. The search stops after
/// `max_pairs` pairs, or when it has compared far more boxes than a sensible mesh needs.
SelfIntersections self_intersections(const TriMesh& mesh, std::size_t max_pairs);

}  // namespace peal::geometry

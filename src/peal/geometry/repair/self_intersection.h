#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/mesh/triangle.h>

namespace peal::geometry {

/// True if two triangles cross: they have more than a point in common, other than part of a side of
/// each. Coplanar triangles cross if they overlap with an area. Contact within rounding error does
/// not count. This is the interval test of Moeller 1997.
bool triangles_cross(const Corners& a, const Corners& b);

struct SelfIntersections {
  std::vector<std::array<std::uint32_t, 2>> pairs;  ///< triangles, the lower index first
  bool complete = true;                             ///< false if the search was cut short
};

/// Pairs of triangles that cross and share no vertex position. The search stops after `max_pairs`
/// pairs, or after far more box comparisons than a reasonable mesh needs.
SelfIntersections self_intersections(const TriMesh& mesh, std::size_t max_pairs);

}  // namespace peal::geometry

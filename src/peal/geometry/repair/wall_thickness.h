#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// The thickness below which a fraction of the surface of a solid lies [m]: along rays inward, from
/// a sample of the triangles. Parts may cross each other: what lies inside of another part does not
/// count, and thickness ends where the last part does. Triangles must face outward. 0 if no ray
/// leaves the solid.
double thin_wall(const TriMesh& mesh, double fraction);

}  // namespace peal::geometry

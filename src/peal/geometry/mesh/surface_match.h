#pragma once

#include <peal/geometry/mesh/surface_query.h>

#include <vector>

namespace peal::geometry {

/// How the vertices of a surface get onto another one, which shows the same thing a little later
/// with other triangles: the displacement of each to the nearest point there [m]. Vertices stay
/// where the nearest point does not lead back: the nearest point of the first surface to it is then
/// farther from the vertex than half of the displacement, because the part that they belong to is
/// not there later, or has been torn or joined.
std::vector<Vec3> displacements_onto(const SurfaceQuery& from, const SurfaceQuery& to);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/surface_query.h>

#include <vector>

namespace peal::geometry {

/// Displacements of the vertices of a surface onto another one, which represents the same surface a
/// little later with different triangles: from each vertex to the nearest point there [m]. A vertex
/// has no displacement if the match is not mutual, that is, if the point of the first surface
/// nearest to its match is farther from the vertex than half of the displacement. Its part of the
/// surface then does not exist later, or has been torn or joined.
std::vector<Vec3> displacements_onto(const SurfaceQuery& from, const SurfaceQuery& to);

}  // namespace peal::geometry

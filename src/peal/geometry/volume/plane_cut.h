#pragma once

#include <peal/geometry/volume/convex_polyhedron.h>

namespace peal::geometry {

/// The part of a closed mesh in a half space, closed by a flat face; empty if there is none. It
/// shares the vertices of its new edges between old and new triangles, so that it has no gaps.
/// Throws std::invalid_argument if the mesh is open or crosses itself where it is cut.
TriMesh cut_by_plane(const TriMesh& mesh, const HalfSpace& half_space);

}  // namespace peal::geometry

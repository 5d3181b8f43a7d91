#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// A closed manifold mesh without needles and caps: edges shorter than `tolerance` [m] collapse,
/// and where a corner of a triangle is nearer than that to the opposite edge, the edge is flipped,
/// so that the neighbour is cut in two instead. The surface moves by no more than the tolerance in
/// each step; what would turn a face over or join the surface to itself stays. Groups are dropped.
TriMesh welded(const TriMesh& mesh, double tolerance);

}  // namespace peal::geometry

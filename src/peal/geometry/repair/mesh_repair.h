#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

namespace peal::geometry {

/// Merges vertices that are at most `tolerance` [m] apart (each into the first such vertex of the
/// mesh, never in chains), and drops triangles that collapse and vertices that no triangle uses.
/// Zero merges exactly coinciding vertices, as an STL file needs. Groups are kept.
TriMesh weld(const TriMesh& mesh, double tolerance = 0.0);

/// For each vertex, the first vertex at exactly the same position (-0 equals 0).
std::vector<std::uint32_t> first_coincident_vertex(const TriMesh& mesh);

/// Flips triangles so that neighbours across manifold edges agree, and every connected component
/// has positive volume. An open component, whose volume means little, keeps the orientation of the
/// majority of its area instead. A non-orientable component (a Moebius strip) keeps one seam.
TriMesh orient_consistently(TriMesh mesh);

}  // namespace peal::geometry

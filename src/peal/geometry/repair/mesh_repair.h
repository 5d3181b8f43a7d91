#pragma once

#include <peal/geometry/mesh/mesh_topology.h>
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

/// Leaves out faces that have the corners of one before them, whichever way they face. Groups are
/// kept. Returns how many.
std::size_t drop_doubled_faces(TriMesh& mesh);

/// For each component of a surface, whether it has a rim.
std::vector<bool> open_components(const MeshTopology& topology, const Components& components);

/// What `face_out_of_solid()` changed.
struct TurnedParts {
  std::size_t inside_out = 0;  ///< parts that faced into the solid
  std::size_t cavities = 0;    ///< parts inside others that faced out of the cavity they bound
};

/// Turns the closed parts of a surface so that they face out of the solid. A part that lies inside
/// another is the wall of a cavity, one inside that a body again. Open parts stay as they are.
TurnedParts face_out_of_solid(TriMesh& mesh);

}  // namespace peal::geometry

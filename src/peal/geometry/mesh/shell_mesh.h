#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <vector>

namespace peal::geometry {

/// A thin wall: its middle surface, and its thickness at each vertex.
///
/// The middle surface may be open, closed or in several parts. Its triangles have a consistent
/// orientation, and each edge belongs to one triangle or two.
struct ShellMesh {
  TriMesh middle;
  std::vector<double> thickness;  ///< at each vertex of `middle` [m]
};

/// Unit normals of a surface at its vertices, on the outer side.
std::vector<Vec3> vertex_normals(const TriMesh& surface);

/// The closed surface around a shell: vertex v of its outer side, half a thickness from vertex v of
/// the middle; vertex v + n of its inner side, where the middle has n vertices; and walls along its
/// free edges. Triangles are those of the outer side, of the inner side and of the walls, in this
/// order.
TriMesh surface_of(const ShellMesh& shell);

double volume(const ShellMesh& shell);  ///< area of the middle times the thickness [m^3]

}  // namespace peal::geometry

#pragma once

#include <peal/vibration/tet_mesh.h>
#include <peal/vibration/tet_smooth.h>

#include <set>

namespace peal::vibration {

/// A surface with triangles as large as the waves in the body allow.
struct FittedSurface {
  geometry::TriMesh mesh;
  std::vector<std::vector<geometry::Vec3>> normals;  ///< of the sheets at each vertex
  std::set<std::array<std::uint32_t, 2>> creases;    ///< edges, lower vertex first
};

/// Cuts or joins triangles of `smooth` until edges are about as long as `edge_length` asks for at
/// its vertices (one value a vertex of the original mesh [m]). Where the surface is curved
/// triangles stay shorter across the bend: their normals stay within 20 degrees of the surface's.
/// New vertices are on the smooth surface; creases and corners stay.
///
/// Joining is by edge collapse in the order of quadric error (Garland & Heckbert 1997) onto
/// vertices that exist.
FittedSurface fitted_surface(const SmoothSurface& smooth, const std::vector<double>& edge_length);

/// Moves the middles of outer edges to the smooth surface, and those of edges through walls along
/// with them; edges of tetrahedra that would fold stay straight.
void bend(CurvedTetMesh& mesh, const FittedSurface& surface, const SmoothSurface& smooth);

}  // namespace peal::vibration

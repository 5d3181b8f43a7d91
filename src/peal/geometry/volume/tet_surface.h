#pragma once

#include <peal/geometry/volume/tet_mesh.h>
#include <peal/geometry/volume/tet_smooth.h>

#include <set>

namespace peal::geometry {

/// A surface with triangles as large as the waves in the body allow.
struct FittedSurface {
  TriMesh mesh;
  std::vector<std::vector<Vec3>> normals;          ///< of the sheets at each vertex
  std::set<std::array<std::uint32_t, 2>> creases;  ///< edges, lower vertex first
};

/// Cuts or joins triangles of `smooth` until edges are about as long as `edge_length` asks for at
/// its vertices (one value a vertex of the original mesh [m]). Where the surface is curved
/// triangles stay shorter across the bend: their normals stay within 20 degrees of the surface's.
/// New vertices are on the smooth surface; creases and corners stay.
///
/// Joining is by edge collapse in the order of quadric error (Garland & Heckbert 1997) onto
/// vertices that exist.
FittedSurface fitted_surface(const SmoothSurface& smooth, const std::vector<double>& edge_length);

/// Where the middle of an edge between two vertices of `surface` is on the smooth surface [m].
Vec3 middle_of_edge(const SmoothSurface& smooth, const FittedSurface& surface, std::uint32_t a,
                    std::uint32_t b);

}  // namespace peal::geometry

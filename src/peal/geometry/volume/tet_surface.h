#pragma once

#include <peal/geometry/volume/tet_mesh.h>
#include <peal/geometry/volume/tet_smooth.h>

#include <set>

namespace peal::geometry {

/// A surface whose triangles are as large as the waves in the body allow.
struct FittedSurface {
  TriMesh mesh;
  std::vector<std::vector<Vec3>> normals;          ///< normals of the sheets at each vertex
  std::set<std::array<std::uint32_t, 2>> creases;  ///< edges, lower vertex first
};

/// Remeshes `smooth` by edge splits and collapses until edges have about the length `edge_length`
/// (one value per vertex of the original mesh [m]). Where the surface is curved, triangles remain
/// shorter across the bend, so that their normals are within 20 degrees of the surface's. New
/// vertices are on the smooth surface; creases and corners are preserved.
///
/// Edges collapse in the order of quadric error (Garland & Heckbert 1997) onto existing vertices.
FittedSurface fitted_surface(const SmoothSurface& smooth, const std::vector<double>& edge_length);

/// The midpoint, on the smooth surface, of an edge between two vertices of `surface` [m].
Vec3 middle_of_edge(const SmoothSurface& smooth, const FittedSurface& surface, std::uint32_t a,
                    std::uint32_t b);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::base {

/// A coarsened surface. The two faces of a thin wall stay apart.
struct CoarseSurface {
  std::vector<std::uint32_t> point_of;  ///< coarse point of each vertex of the fine surface
  std::vector<geometry::Vec3> points;   ///< [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// A surface of at most `most_points` points.
CoarseSurface coarse_surface(const geometry::TriMesh& fine, std::size_t most_points);

/// The surface with its triangles subdivided into four until their sides are no longer than the
/// cells of such a coarse surface, because a box may consist of only a dozen triangles.
geometry::TriMesh finer(geometry::TriMesh mesh, std::size_t most_points);

}  // namespace peal::base

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <cstdint>
#include <vector>

namespace peal::base {

/// A coarsened surface.
struct CoarseSurface {
  std::vector<std::uint32_t> point_of;  ///< coarse point of each vertex of the fine surface
  std::vector<geometry::Vec3> points;   ///< [m]
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// How points of a coarse surface are placed.
enum class CoarsePoints {
  on_planes,  ///< where the planes around meet: keeps edges and volumes best
  in_middle   ///< in the middle of what each stands for: walls hardly ever cross
};

/// A surface of at most `most_points` points: each stands for a region of the fine surface, grown
/// along it from seeds that are as far from each other as possible. So the faces of a wall stay
/// apart, however thin it is against the regions, and a closed surface stays one.
CoarseSurface coarse_surface(const geometry::TriMesh& fine, std::size_t most_points,
                             CoarsePoints points = CoarsePoints::on_planes);

/// The surface with its triangles subdivided into four until their sides are no longer than the
/// cells of such a coarse surface, because a box may consist of only a dozen triangles.
geometry::TriMesh finer(geometry::TriMesh mesh, std::size_t most_points);

}  // namespace peal::base

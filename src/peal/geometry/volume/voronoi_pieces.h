#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::geometry {

/// How a body breaks.
struct FracturePattern {
  int pieces = 11;             ///< number of sites, at least 1
  Vec3 impact = Vec3::Zero();  ///< where it is hit [m]
  /// How much smaller pieces are near the impact: the density of sites at a distance d falls as
  /// (1 + d / d0)^-concentration, where d0 is a tenth of the body's size; 0: the same everywhere.
  double concentration = 1.0;
  std::uint64_t seed = 0, stream = 0;
};

/// Points in a closed mesh around which it breaks, as evenly spread as their density allows. Those
/// of a thin body lie in its middle plane, so that cracks go straight through. The same pattern
/// gives the same points. Throws std::invalid_argument if the mesh encloses no volume.
std::vector<Vec3> fracture_sites(const TriMesh& body, const FracturePattern& pattern);

/// The parts of a closed mesh that are nearest to each site (its Voronoi cells, cut to the body):
/// closed meshes whose volumes add up to that of the body. Cells without any part of the body are
/// left out; a part in several unconnected ones is several pieces. Pieces of a convex body with
/// flat faces are convex. Throws std::invalid_argument if the mesh is open or crosses itself.
std::vector<TriMesh> voronoi_pieces(const TriMesh& body, std::span<const Vec3> sites);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/tri_mesh.h>
#include <peal/wave/grid.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// What the pieces of a surface inside one cell add up to, in cells.
struct SurfaceSum {
  Cell cell;                        ///< one coordinate is -1 for what lies below the grid
  Vec3 area_vector = Vec3::Zero();  ///< sum of area times the normal out of the solid
  double fill = 0;                  ///< integral of (x_high - x) n_x dA
  double area = 0;                  ///< sum of areas, without signs
  Vec3 moment = Vec3::Zero();       ///< integral of position dA, from the grid's lowest corner
};

/// Splits every triangle by the planes of the grid and sums its pieces by cell, in the order of the
/// triangles.
///
/// A piece that lies in a grid plane belongs to the cell it faces. Coordinates are rounded to 2^-40
/// of a cell, so that a wall meant to lie in a grid plane does, and sums are made relative to each
/// triangle's own cell, so that a move by whole cells changes no bit of the fractions.
///
/// What lies below the grid along one axis only is summed in the cells with coordinate -1, which
/// start the prefix sums along that axis; everything else outside is dropped. The cost is bounded
/// by the surface within the grid and the grid's own faces.
std::vector<SurfaceSum> clip_surface(const Grid& grid, std::span<const Vec3> vertices,
                                     std::span<const geometry::Triangle> triangles);

/// One number for a cell, ordered by coordinate `first`, then `second`, then `third`.
inline std::uint64_t cell_key(const Cell& c, int first, int second, int third) {
  const auto bits = [&](int axis) { return static_cast<std::uint64_t>(c[axis] + 1); };
  return bits(first) << 42 | bits(second) << 21 | bits(third);
}

}  // namespace peal::wave

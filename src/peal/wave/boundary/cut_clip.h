#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/wave/grid/grid.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// The sums over the patches of a surface inside one cell, in cells.
struct SurfaceSum {
  Cell cell;                        ///< one coordinate is -1 for patches below the grid
  Vec3 area_vector = Vec3::Zero();  ///< sum of area times the normal out of the solid
  double fill = 0;                  ///< integral of (x_high - x) n_x dA
  double area = 0;                  ///< sum of areas, without signs
  std::uint32_t first_part = 0;     ///< index in ClippedSurface::parts; always valid
};

/// The contribution of one part of the surface to the sum of a cell.
struct PartSum {
  std::uint32_t part;
  std::uint32_t next;               ///< index of the cell's next PartSum, by part, or no_part
  std::uint32_t triangle;           ///< the triangle with the largest patch; the first of equals
  double largest = 0;               ///< area of that patch
  Vec3 area_vector = Vec3::Zero();  ///< as in SurfaceSum
  double area = 0;
  Vec3 moment = Vec3::Zero();  ///< integral of position dA, from the grid's lowest corner
};
inline constexpr std::uint32_t no_part = ~0u;

/// The part of a triangle that lies in a cell.
struct SurfacePiece {
  Cell cell;
  std::uint32_t part;
  std::uint32_t triangle;
  double area;  ///< [cell face]
  Vec3 centre;  ///< centroid, from the grid's lowest corner [cells]
};

struct ClippedSurface {
  std::vector<SurfaceSum> cells;  ///< in the order of first touch
  std::vector<PartSum> parts;
};

/// Splits every triangle by the planes of the grid and sums its patches by cell, in the order of
/// the triangles.
///
/// A patch that lies in a grid plane belongs to the cell it faces. Coordinates are rounded to 2^-40
/// of a cell, so that a wall that is meant to lie in a grid plane does. Sums are relative to each
/// triangle's own cell, so that a move by whole cells changes no bit of the fractions.
///
/// Patches that lie below the grid along one axis only are summed in the cells with coordinate -1,
/// which start the prefix sums along that axis; all others outside are dropped. The cost is bounded
/// by the surface within the grid and the grid's own faces, and by about 0.1 us per triangle:
/// meshes far finer than the cells stay exact but are worth decimating if they move (1e5 triangles
/// take about 10 ms per key). Triangles without area, and those with a vertex that is not finite or
/// 1e12 cells away, are omitted and leave a hole.
///
/// `part` is the part of each triangle; if empty, all are part 0. `pieces`, if not null, gets all
/// patches, in the order of the triangles.
ClippedSurface clip_surface(const Grid& grid, std::span<const Vec3> vertices,
                            std::span<const geometry::Triangle> triangles,
                            std::span<const std::uint32_t> part = {},
                            std::vector<SurfacePiece>* pieces = nullptr);

/// A sort key for a cell, ordered by coordinate `first`, then `second`, then `third`.
inline std::uint64_t cell_key(const Cell& c, int first, int second, int third) {
  const auto bits = [&](int axis) { return static_cast<std::uint64_t>(c[axis]) + 1; };
  return bits(first) << 42 | bits(second) << 21 | bits(third);
}

}  // namespace peal::wave

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/wave/grid/grid.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

// Which parts of a cell are joined, for walls thinner than a cell. A cell carries a lattice of
// points, four samples along each axis and the two faces, joined by segments along the axes. A
// segment that any surface crosses joins nothing. The points that hang together are the cell's
// sides. Any path from one side of a surface to the other meets it, so whatever its shape nothing
// leaks, and the crossings' positions give each side's volume and areas by exact lengths along the
// lines: continuous in motion.

inline constexpr int lattice_samples = 4;                   ///< along an axis
inline constexpr int lattice_points = lattice_samples + 2;  ///< low face, samples, high face
inline constexpr std::array<double, lattice_points> lattice_offsets = {0,    .125, .375,
                                                                       .625, .875, 1};
inline constexpr int all_lattice_points = lattice_points * lattice_points * lattice_points;

/// Number of a point by its places along x, y, z.
constexpr int lattice_point(int x, int y, int z) {
  return x + lattice_points * (y + lattice_points * z);
}

/// Side that each point belongs to, from 1; 0: solid, or nothing.
using PointSubcells = std::array<std::uint8_t, all_lattice_points>;

/// Where a surface meets a lattice line.
struct Crossing {
  std::uint8_t axis;
  std::uint8_t u, v;     ///< points along the axes after `axis` that the line goes through
  std::uint8_t segment;  ///< from this point along the axis to the next
  bool up;               ///< the normal points along +axis
  bool sheet;            ///< fluid on both sides
  bool rim;              ///< no wall: where one that ends in the cell would go on
  std::uint32_t body, part, triangle;
  double at;      ///< along the axis, from the cell's low face [cells]
  double facing;  ///< |n_axis|
  Vec3 normal;
};

/// Crossings of a cell's lattice lines, those of its faces included.
struct LatticeCell {
  Cell cell;
  std::vector<Crossing> crossings;
  Vec3 extent = Vec3::Zero();  ///< sum of |normal| over the crossings of each axis
  int sides = 1;               ///< number of separate fluid sides
  /// A thin wall ends in the cell. Its sides are split by the wall and by the plane in which it
  /// would go on, so that they change little when the rim moves to another cell.
  bool rim = false;
  double wall_area = 0;  ///< of one side of the walls in the cell [cell face]
  PointSubcells side{};  ///< largest first
};

/// A triangle surface in cells from the grid's lowest corner.
struct LatticeSurface {
  std::uint32_t body;
  bool sheet;
  std::span<const Vec3> vertices;
  std::span<const geometry::Triangle> triangles;
  std::span<const std::uint32_t> part;  ///< by triangle; empty: all 0
};

/// The lattices of the `cells` that a surface crosses, in the order of the grid's index, with their
/// sides. `cells` must be sorted by it.
std::vector<LatticeCell> crossed_lattices(const Grid& grid, std::span<const Cell> cells,
                                          std::span<const LatticeSurface> surfaces);

/// Volume of each side [cells], number 0 unused: lengths along the lines of the axis that the walls
/// face most.
std::vector<double> side_volumes(const LatticeCell& cell, const PointSubcells& side, int sides);

/// Area shared by sides a and b across a face or within a cell [cells].
struct SharedArea {
  std::uint8_t a, b;
  double area;
};

/// Areas on the face between a cell and the next along `axis` by the side of either. A lattice may
/// be null: nothing crosses it.
std::vector<SharedArea> face_areas(const LatticeCell* low, const LatticeCell* high, int axis,
                                   const PointSubcells& low_side, const PointSubcells& high_side);

/// A crossing of a line between samples and a side that its wall faces.
struct Facing {
  const Crossing* crossing;
  std::uint8_t side;
  bool above;  ///< the side lies up the line
};
std::vector<Facing> facing_sides(const LatticeCell& cell, const PointSubcells& side);

/// Open area between sides of one cell that nothing divides.
std::vector<SharedArea> inner_areas(const LatticeCell& cell, const PointSubcells& side);

}  // namespace peal::wave

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/wave/grid/grid.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

// The connectivity within a cell, for walls thinner than a cell. A cell has a lattice of points,
// four samples along each axis and the two faces, connected by segments along the axes. A segment
// that any surface crosses connects nothing. The connected sets of points are the subcells (sides)
// of the cell. Any path from one side of a surface to the other crosses it, so no surface leaks,
// whatever its shape. The positions of the crossings give the volume and the areas of each subcell
// by exact lengths along the lines, which are continuous in motion.

inline constexpr int lattice_samples = 4;                   ///< along an axis
inline constexpr int lattice_points = lattice_samples + 2;  ///< low face, samples, high face
inline constexpr std::array<double, lattice_points> lattice_offsets = {0,    .125, .375,
                                                                       .625, .875, 1};
inline constexpr int all_lattice_points = lattice_points * lattice_points * lattice_points;

/// The index of a point by its coordinates along x, y, z.
constexpr int lattice_point(int x, int y, int z) {
  return x + lattice_points * (y + lattice_points * z);
}

/// The subcell that each point belongs to, from 1; 0 is solid or none.
using PointSubcells = std::array<std::uint8_t, all_lattice_points>;

/// An intersection of a surface with a lattice line.
struct Crossing {
  std::uint8_t axis;
  std::uint8_t u, v;     ///< coordinates of the line along the axes after `axis`
  std::uint8_t segment;  ///< from this point along the axis to the next
  bool up;               ///< the normal points along +axis
  bool sheet;            ///< fluid on both sides
  bool rim;              ///< not a wall, but the continuation of one that ends in the cell
  /// Whether no other crossing of the segment is closer to its low or its high end.
  bool is_lowest, is_highest;
  std::uint32_t body, part, triangle;
  double at;      ///< position along the axis, from the cell's low face [cells]
  double facing;  ///< |n_axis|
  Vec3 normal;
};

/// A segment that is crossed, and the parts that the crossings leave of it.
struct CrossedSegment {
  std::uint8_t axis, u, v, segment;  ///< as in Crossing
  std::uint8_t low;                  ///< the point at its low end
  double first, last;                ///< crossings nearest to its low and its high end
};

/// The crossings of a cell's lattice lines, including those of its faces.
struct LatticeCell {
  Cell cell;
  std::vector<Crossing> crossings;
  /// Those within the cell, then those in its faces -x, +x, -y, ...; set with the subcells.
  std::vector<CrossedSegment> crossed;
  std::array<std::uint16_t, 7> face_begin{};  ///< index in `crossed` by face; the last is the end
  Vec3 extent = Vec3::Zero();                 ///< sum of |normal| over the crossings of each axis
  int sides = 1;                              ///< number of separate fluid subcells
  /// Whether a thin wall ends in the cell. Its subcells are then split by the wall and by the
  /// plane in which it would continue, so that they change little when the rim moves to another
  /// cell.
  bool rim = false;
  double wall_area = 0;  ///< area of one side of the walls in the cell [cell face]
  PointSubcells side{};  ///< largest first
};

/// A triangle surface, in cells from the lowest corner of the grid.
struct LatticeSurface {
  std::uint32_t body;
  bool sheet;
  std::span<const Vec3> vertices;
  std::span<const geometry::Triangle> triangles;
  std::span<const std::uint32_t> part;  ///< by triangle; empty: all 0
};

/// The lattices, with their subcells, of those `cells` that the surfaces divide, and of all cells
/// around them that a surface crosses, in the order of the grid's index. Empty if none is divided.
std::vector<LatticeCell> lattices_around_divided(const Grid& grid, std::span<const Cell> cells,
                                                 std::span<const LatticeSurface> surfaces);

/// The volume of each subcell [cells], by number (0 is unused), from lengths along the lines of the
/// axis that the walls face most.
std::vector<double> side_volumes(const LatticeCell& cell, const PointSubcells& side, int sides);

/// The area shared by subcells a and b across a face or within a cell [cells].
struct SharedArea {
  std::uint8_t a, b;
  double area;
};

/// The areas on the face between a cell and the next one along `axis`, by the subcells of both. A
/// lattice is null if nothing crosses it.
std::vector<SharedArea> face_areas(const LatticeCell* low, const LatticeCell* high, int axis,
                                   const PointSubcells& low_side, const PointSubcells& high_side);

/// A crossing of a line between samples, and a subcell that its wall faces.
struct Facing {
  const Crossing* crossing;
  std::uint8_t side;
  bool above;  ///< whether the subcell lies up the line
};
std::vector<Facing> facing_sides(const LatticeCell& cell, const PointSubcells& side);

/// The open areas between subcells of one cell that nothing divides.
std::vector<SharedArea> inner_areas(const LatticeCell& cell, const PointSubcells& side);

}  // namespace peal::wave

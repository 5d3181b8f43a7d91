#pragma once

#include <peal/wave/boundary/cut_fractions.h>
#include <peal/wave/boundary/cut_lattice.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// What all bodies together leave of a cell, or one side of a cell that a thin wall divides.
struct OpenCell {
  Cell cell;
  double volume;  ///< V, 0 to 1
  /// A of the faces -x, +x, -y, +y, -z, +z, 0 to 1; 0 for faces of or to a split cell, whose
  /// areas are links.
  std::array<double, cell_faces> area;
};

/// Open area between two sides of cells, at least one of them split.
struct Link {
  std::uint32_t a, b;  ///< numbers in CutGeometry::cells
  double area;         ///< [cell face]
  bool inner = false;  ///< both are sides of one cell, joined around a rim
  /// Of an inner link: part of their difference that the sides lose in each step, 0 to 1.
  double pull = 0;
  /// Of one with a pull, if nothing moves: there is nothing to smooth then, and energy to keep.
  double area_at_rest = area;
};

/// A cell that thin walls divide: its sides are `sides` entries of CutGeometry::cells.
struct SplitCell {
  Cell cell;
  std::uint32_t first;  ///< number of side 1; the others follow
  int sides;
  PointSubcells side;
};

/// The wall of one part of a body in one cell: where a body hands its acceleration to the air.
struct Wall {
  std::uint32_t cell;  ///< number in CutGeometry::cells
  std::uint32_t body;
  std::uint32_t part;      ///< of the body's surface
  std::uint32_t triangle;  ///< the part's largest in the cell
  Vec3 area_vector;        ///< into the fluid [cell face]
  double area;             ///< without signs [cell face]
  Vec3 centre;             ///< [m]
  /// Makes the driving areas of a body's parts in a cell add up to that of its whole wall.
  double share = 1;
  /// 1: the air in front of the triangles; -1: that behind a sheet, which a normal acceleration out
  /// of the front drives with the other sign.
  double front = 1;

  /// Area by which a normal acceleration drives the cell [cell face]: |S|, which keeps a curved
  /// wall second order (a pulsating sphere errs twice as much with the full area W), but W where
  /// two walls face each other and S cancels; smooth in between.
  double driving_area() const;
};

/// Every body on the grid at one time. Cells in neither list are all fluid.
struct CutGeometry {
  std::vector<OpenCell> cells;  ///< in the order of the grid's index, subcells of a cell together
  std::vector<Wall> walls;      ///< by cell, then body, then part
  std::vector<SolidRun> solid;  ///< in the order of z, y, begin; they do not overlap
  std::vector<Link> links;
  std::vector<SplitCell> split;  ///< in the order of the grid's index

  /// Near thin walls: what surfaces leave of the cells' lattices, and the geometry as if no cell
  /// were split. Empty if no walls are thin.
  std::vector<LatticeCell> lattices;
  std::vector<OpenCell> whole;
  std::vector<Wall> whole_walls;
};

/// Closed parts add up and end at a closed cell or face: exact for bodies that touch, a bound for
/// bodies that overlap within a cell. Cells inside another body are solid. Cells where two walls
/// face each other, or that a sheet crosses, are split into the sides that the walls leave.
CutGeometry combined(const Grid& grid, std::span<const CutFractions> bodies);

}  // namespace peal::wave

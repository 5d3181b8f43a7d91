#pragma once

#include <peal/wave/boundary/cut_fractions.h>
#include <peal/wave/boundary/cut_lattice.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// The open fractions that all bodies together leave in a cell, or in one subcell of a cell that a
/// thin wall divides.
struct OpenCell {
  Cell cell;
  double volume;  ///< V, 0 to 1
  /// A of the faces -x, +x, -y, +y, -z, +z, 0 to 1; 0 for faces of or to a split cell, whose
  /// areas are links.
  std::array<double, cell_faces> area;
};

/// The open area between two nodes, at least one of them a subcell of a split cell.
struct Link {
  std::uint32_t a, b;  ///< indices in CutGeometry::cells
  double area;         ///< [cell face]
  bool inner = false;  ///< whether both are subcells of one cell, joined around a rim
  /// The fraction of their difference that the subcells of an inner link lose in each step, 0 to 1.
  double pull = 0;
  /// The area of a link with a pull if nothing moves, when there is nothing to smooth and energy
  /// must be conserved.
  double area_at_rest = area;
};

/// A cell that thin walls divide into `sides` subcells, which are entries of CutGeometry::cells.
struct SplitCell {
  Cell cell;
  std::uint32_t first;  ///< index of subcell 1; the others follow
  int sides;
  PointSubcells side;
};

/// The wall of one part of a body in one cell, where the body drives the air.
struct Wall {
  std::uint32_t cell;  ///< index in CutGeometry::cells
  std::uint32_t body;
  std::uint32_t part;      ///< of the body's surface
  std::uint32_t triangle;  ///< the largest one of the part in the cell
  Vec3 area_vector;        ///< into the fluid [cell face]
  double area;             ///< without signs [cell face]
  Vec3 centre;             ///< [m]
  /// Factor that makes the driving areas of the parts of a body in a cell add up to that of its
  /// whole wall.
  double share = 1;
  /// 1 for the air in front of the triangles, -1 for the air behind a sheet, which a normal
  /// acceleration out of the front drives with the opposite sign.
  double front = 1;

  /// The area by which a normal acceleration drives the cell [cell face]: |S|, which keeps a curved
  /// wall second order (the error of a pulsating sphere is twice as large with the full area W),
  /// but W where two walls face each other and S cancels; smooth in between.
  double driving_area() const;
};

/// All bodies on the grid at one time. Cells in neither list are all fluid.
struct CutGeometry {
  std::vector<OpenCell> cells;  ///< in the order of the grid's index, subcells of a cell together
  std::vector<Wall> walls;      ///< by cell, then body, then part
  std::vector<SolidRun> solid;  ///< in the order of z, y, begin; they do not overlap
  std::vector<Link> links;
  std::vector<SplitCell> split;  ///< in the order of the grid's index

  /// The lattices of the cells near thin walls, and the geometry as if no cell were split. Empty if
  /// no walls are thin.
  std::vector<LatticeCell> lattices;
  std::vector<OpenCell> whole;
  std::vector<Wall> whole_walls;
};

/// Combines bodies. Closed fractions add up and are limited to a closed cell or face, which is
/// exact for bodies that touch and a bound for bodies that overlap within a cell. Cells inside
/// another body are solid. Cells in which two walls face each other, or that a sheet crosses, are
/// split into the subcells that the walls leave.
CutGeometry combined(const Grid& grid, std::span<const CutFractions> bodies);

/// The same for a key of an interval, which divides the cells of both its keys alike: where walls
/// are thin, the cells are not divided yet, but `whole`.
CutGeometry key_of(const Grid& grid, std::span<const CutFractions> bodies);

}  // namespace peal::wave

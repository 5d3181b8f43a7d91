#pragma once

#include <peal/wave/cut_fractions.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// What all bodies together leave of a cell.
struct OpenCell {
  Cell cell;
  double volume;                    ///< V, 0 to 1
  std::array<double, kFaces> area;  ///< A of the faces -x, +x, -y, +y, -z, +z, 0 to 1
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

  /// Area by which a normal acceleration drives the cell [cell face]: |S|, which keeps a curved
  /// wall second order (a pulsating sphere errs twice as much with the full area W), but W where
  /// two walls face each other and S cancels; smooth in between.
  double driving_area() const;
};

/// Every body on the grid at one time. Cells in neither list are all fluid.
struct CutGeometry {
  std::vector<OpenCell> cells;  ///< in the order of the grid's index
  std::vector<Wall> walls;      ///< by cell, then body, then part
  std::vector<SolidRun> solid;  ///< in the order of z, y, begin; they do not overlap
};

/// Closed parts add up and end at a closed cell or face: exact for bodies that touch, a bound for
/// bodies that overlap within a cell. Cells inside another body are solid.
CutGeometry combined(const Grid& grid, std::span<const CutFractions> bodies);

}  // namespace peal::wave

#pragma once

#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/boundary/cut_lattice.h>

#include <span>
#include <vector>

namespace peal::wave {

/// A cell of a geometry near thin walls, at one time, and how it is to be split.
struct Subcells {
  OpenCell open;                         ///< of the whole cell
  const LatticeCell* lattice = nullptr;  ///< null: no surface crosses it
  int sides = 1;                         ///< number of subcells; more than 1 if it is to be split
  const PointSubcells* side = nullptr;   ///< by point of the lattice; 0 where solid
  std::span<const Wall> walls;           ///< of the whole cell
};

/// The nodes, walls and links of cells and their subcells. Cells come in the order of the grid's
/// index; the neighbours of a split cell must be included unless they are solid.
struct SubcellGeometry {
  std::vector<OpenCell> cells;
  std::vector<Wall> walls;
  std::vector<Link> links;
  std::vector<SplitCell> split;
};
SubcellGeometry with_sides(const Grid& grid, std::span<const Subcells> cells);

/// The subcells of a cell that no surface divides.
const PointSubcells& undivided(bool solid);

/// The cells that the geometries cut or divide, and the neighbours of the split ones, in the
/// order of the grid's index.
std::vector<Cell> cells_around(const Grid& grid, std::span<const CutGeometry* const> geometries);

/// The state of those cells in a geometry; points into it.
std::vector<Subcells> sided_cells(const Grid& grid, const CutGeometry& geometry,
                                  std::span<const Cell> cells);

/// Splits the cells of a geometry that has lattices, but no split cells yet.
void divide_cells(const Grid& grid, CutGeometry& geometry);

/// The state of a cell that the geometry does not cut: all solid or all fluid.
OpenCell uncut(const CutGeometry& geometry, const Cell& cell);

}  // namespace peal::wave

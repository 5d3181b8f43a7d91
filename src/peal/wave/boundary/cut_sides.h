#pragma once

#include <peal/wave/boundary/cut_geometry.h>
#include <peal/wave/boundary/cut_lattice.h>

#include <span>
#include <vector>

namespace peal::wave {

/// A cell of a geometry near thin walls, at one time, and what is to become of it.
struct Subcells {
  OpenCell open;                         ///< of the whole cell
  const LatticeCell* lattice = nullptr;  ///< null: no surface crosses it
  int sides = 1;                         ///< more than 1: to be split
  PointSubcells side{};                  ///< by point of the lattice; 0 where solid
  std::span<const Wall> walls;           ///< of the whole cell
};

/// The nodes, walls and links that cells and their sides make. Cells come in the order of the
/// grid's index; a split cell's neighbours must be there unless they are solid.
struct SubcellGeometry {
  std::vector<OpenCell> cells;
  std::vector<Wall> walls;
  std::vector<Link> links;
  std::vector<SplitCell> split;
};
SubcellGeometry with_sides(const Grid& grid, std::span<const Subcells> cells);

/// The subcells of a cell that no surface divides.
PointSubcells undivided(bool solid);

/// The cells that the geometries cut or divide, and the neighbours of the split ones, in the
/// order of the grid's index.
std::vector<Cell> cells_around(const Grid& grid, std::span<const CutGeometry* const> geometries);

/// What a geometry has in those cells; points into it.
std::vector<Subcells> sided_cells(const Grid& grid, const CutGeometry& geometry,
                                  std::span<const Cell> cells);

/// Divides the cells of a geometry that is whole so far.
void divide_cells(const Grid& grid, std::vector<LatticeCell> lattices, CutGeometry& geometry);

/// A cell that the geometry does not cut is all solid or all fluid.
OpenCell uncut(const CutGeometry& geometry, const Cell& cell);

}  // namespace peal::wave

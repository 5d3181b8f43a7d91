#include <peal/util/sort_unique.h>
#include <peal/wave/boundary/cut_sides.h>

#include <algorithm>

namespace peal::wave {

std::vector<Cell> cells_around(const Grid& grid, std::span<const CutGeometry* const> geometries) {
  std::vector<std::size_t> index;
  for (const CutGeometry* g : geometries) {
    for (const LatticeCell& lattice : g->lattices) {
      if (lattice.sides < 2) continue;
      index.push_back(grid.index(lattice.cell));
      for (int f = 0; f < cell_faces; ++f) {
        const Cell next = beyond(lattice.cell, f);
        if (!grid.contains(next)) continue;
        const bool solid = std::ranges::all_of(
            geometries, [&](const CutGeometry* one) { return is_solid(one->solid, next); });
        if (!solid) index.push_back(grid.index(next));
      }
    }
  }
  util::sort_unique(index);
  std::vector<std::size_t> whole, all;
  for (const CutGeometry* g : geometries) {
    whole.clear();
    for (const OpenCell& open : g->whole) whole.push_back(grid.index(open.cell));
    all.clear();
    std::ranges::set_union(index, whole, std::back_inserter(all));
    std::swap(index, all);
  }
  std::vector<Cell> cells(index.size());
  std::ranges::transform(index, cells.begin(), [&](std::size_t i) { return grid.cell(i); });
  return cells;
}

std::vector<Subcells> sided_cells(const Grid& grid, const CutGeometry& geometry,
                                  std::span<const Cell> cells) {
  std::vector<Subcells> sided;
  sided.reserve(cells.size());
  std::size_t open = 0, lattice = 0, wall = 0;
  for (const Cell& cell : cells) {
    const std::size_t index = grid.index(cell);
    while (open < geometry.whole.size() && grid.index(geometry.whole[open].cell) < index) ++open;
    while (lattice < geometry.lattices.size() &&
           grid.index(geometry.lattices[lattice].cell) < index)
      ++lattice;
    Subcells& one = sided.emplace_back();
    if (open < geometry.whole.size() && geometry.whole[open].cell == cell) {
      one.open = geometry.whole[open];
      while (wall < geometry.whole_walls.size() && geometry.whole_walls[wall].cell < open) ++wall;
      std::size_t end = wall;
      while (end < geometry.whole_walls.size() && geometry.whole_walls[end].cell == open) ++end;
      one.walls = std::span(geometry.whole_walls).subspan(wall, end - wall);
    } else {
      one.open = uncut(geometry, cell);
    }
    if (lattice < geometry.lattices.size() && geometry.lattices[lattice].cell == cell) {
      one.lattice = &geometry.lattices[lattice];
      one.sides = one.lattice->sides;
      one.side = &one.lattice->side;
    } else {
      one.side = &undivided(one.open.volume == 0);
    }
  }
  return sided;
}

void divide_cells(const Grid& grid, CutGeometry& geometry) {
  const CutGeometry* const one = &geometry;
  const std::vector<Cell> cells = cells_around(grid, std::span(&one, 1));
  SubcellGeometry sided = with_sides(grid, sided_cells(grid, geometry, cells));
  geometry.cells = std::move(sided.cells);
  geometry.walls = std::move(sided.walls);
  geometry.links = std::move(sided.links);
  geometry.split = std::move(sided.split);
}

const PointSubcells& undivided(bool solid) {
  static const std::array<PointSubcells, 2> sides = [] {
    std::array<PointSubcells, 2> both{};
    both[0].fill(1);
    return both;
  }();
  return sides[solid ? 1 : 0];
}

OpenCell uncut(const CutGeometry& geometry, const Cell& cell) {
  OpenCell open{.cell = cell, .volume = is_solid(geometry.solid, cell) ? 0.0 : 1.0, .area = {}};
  open.area.fill(open.volume);
  return open;
}

}  // namespace peal::wave

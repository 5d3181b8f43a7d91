#include <peal/wave/cut_interval.h>

#include <algorithm>
#include <tuple>

namespace peal::wave {
namespace {

/// A cell that the geometry does not cut is all solid or all fluid.
OpenCell uncut(const CutGeometry& geometry, const Cell& cell) {
  OpenCell open{.cell = cell, .volume = is_solid(geometry.solid, cell) ? 0.0 : 1.0, .area = {}};
  open.area.fill(open.volume);
  return open;
}

/// The wall where its body does not touch the cell.
Wall vanished(Wall wall) {
  wall.area_vector.setZero();
  wall.area = 0;
  return wall;
}

/// The walls of one cell of each key, paired by body and part.
void pair_walls(std::span<const Wall> a, std::span<const Wall> b, std::uint32_t cell,
                CutInterval& out) {
  const auto name = [](const Wall& wall) { return std::tuple(wall.body, wall.part); };
  while (!a.empty() || !b.empty()) {
    const bool in_a = !a.empty() && (b.empty() || name(a.front()) <= name(b.front()));
    const bool in_b = !b.empty() && (a.empty() || name(b.front()) <= name(a.front()));
    out.walls_from.push_back(in_a ? a.front() : vanished(b.front()));
    out.walls_to.push_back(in_b ? b.front() : vanished(a.front()));
    out.walls_from.back().cell = out.walls_to.back().cell = cell;
    if (in_a) a = a.subspan(1);
    if (in_b) b = b.subspan(1);
  }
}

/// Walks the cells of one geometry together with their walls.
struct Cursor {
  const Grid& grid;
  const CutGeometry& geometry;
  std::size_t cell = 0, wall = 0;

  bool done() const { return cell == geometry.cells.size(); }
  std::size_t index() const { return done() ? ~std::size_t{0} : grid.index(now().cell); }
  const OpenCell& now() const { return geometry.cells[cell]; }
  /// The walls of the present cell; goes on to the next one.
  std::span<const Wall> advance() {
    const std::size_t begin = wall;
    while (wall < geometry.walls.size() && geometry.walls[wall].cell == cell) ++wall;
    ++cell;
    return std::span(geometry.walls).subspan(begin, wall - begin);
  }
};

std::vector<SolidRun> solid_in_both(std::span<const SolidRun> a, std::span<const SolidRun> b) {
  std::vector<SolidRun> both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const auto row_a = std::tuple(a[i].z, a[i].y), row_b = std::tuple(b[j].z, b[j].y);
    if (row_a == row_b) {
      const int begin = std::max(a[i].begin, b[j].begin), end = std::min(a[i].end, b[j].end);
      if (begin < end) both.push_back({a[i].y, a[i].z, begin, end});
    }
    const bool a_ends_first = std::tuple(row_a, a[i].end) < std::tuple(row_b, b[j].end);
    ++(a_ends_first ? i : j);
  }
  return both;
}

}  // namespace

CutInterval interval(const Grid& grid, const CutGeometry& from, const CutGeometry& to) {
  CutInterval out{.solid = solid_in_both(from.solid, to.solid)};
  Cursor a{grid, from}, b{grid, to};
  while (!a.done() || !b.done()) {
    const bool in_a = a.index() <= b.index(), in_b = b.index() <= a.index();
    out.from.push_back(in_a ? a.now() : uncut(from, b.now().cell));
    out.to.push_back(in_b ? b.now() : uncut(to, out.from.back().cell));
    const auto walls_a = in_a ? a.advance() : std::span<const Wall>();
    const auto walls_b = in_b ? b.advance() : std::span<const Wall>();
    pair_walls(walls_a, walls_b, static_cast<std::uint32_t>(out.from.size() - 1), out);
  }
  return out;
}

std::vector<Wall> CutInterval::walls_at(double t) const {
  std::vector<Wall> walls = walls_from;
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const Wall& end = walls_to[i];
    walls[i].area_vector += t * (end.area_vector - walls[i].area_vector);
    walls[i].area = between(walls[i].area, end.area, t);
    walls[i].centre += t * (end.centre - walls[i].centre);
    walls[i].share = between(walls[i].share, end.share, t);
  }
  return walls;
}

CutGeometry CutInterval::at(double t) const {
  CutGeometry geometry{.cells = from, .walls = walls_at(t), .solid = solid};
  for (std::size_t i = 0; i < from.size(); ++i) {
    geometry.cells[i].volume = between(from[i].volume, to[i].volume, t);
    for (int f = 0; f < kFaces; ++f)
      geometry.cells[i].area[f] = between(from[i].area[f], to[i].area[f], t);
  }
  return geometry;
}

}  // namespace peal::wave

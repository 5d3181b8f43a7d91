#include <peal/wave/boundary/lattice_raster.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace peal::wave {
namespace {

/// The side of the line from a to b on which p lies. The result for b to a differs in sign only, to
/// the last bit, so that triangles with a common edge neither share a line nor omit one.
int side_of(const std::array<double, 2>& a, const std::array<double, 2>& b,
            const std::array<double, 2>& p) {
  if (b < a) return -side_of(b, a, p);
  const double value = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
  if (value != 0) return value > 0 ? 1 : -1;
  if (b[1] != a[1]) return b[1] > a[1] ? -1 : 1;
  return b[0] > a[0] ? 1 : -1;
}

/// Intersects triangles with the lattice lines of some cells.
class LatticeRaster {
 public:
  LatticeRaster(const Grid& grid, std::span<const Cell> cells) : grid_(grid), cells_(cells.size()) {
    low_ = grid.size;
    high_ = {-1, -1, -1};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells_[i].cell = cells[i];
      index_.push_back(grid.index(cells[i]));
      for (int d = 0; d < 3; ++d) {
        low_[d] = std::min(low_[d], cells[i][d]);
        high_[d] = std::max(high_[d], cells[i][d]);
      }
    }
    for (int axis = 0; axis < 3 && !cells.empty(); ++axis) {
      const int ua = (axis + 1) % 3, va = (axis + 2) % 3;
      columns_[axis].assign(column(axis, high_[ua] + 1, high_[va] + 1) + 1, 0);
      for (const Cell& c : cells)
        for (int u = c[ua]; u <= c[ua] + 1; ++u)
          for (int v = c[va]; v <= c[va] + 1; ++v) columns_[axis][column(axis, u, v)] = 1;
    }
  }

  void add(const LatticeSurface& surface) {
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      const geometry::Triangle& corner = surface.triangles[t];
      add_triangle(surface, static_cast<std::uint32_t>(t), surface.vertices[corner[0]],
                   surface.vertices[corner[1]], surface.vertices[corner[2]]);
    }
  }
  std::vector<LatticeCell> take() {
    std::erase_if(cells_, [](const LatticeCell& c) { return c.crossings.empty(); });
    return std::move(cells_);
  }

 private:
  struct Range {
    int first, last;  ///< lattice coordinates: 5 per cell, from its low face
  };
  static constexpr int points_per_cell = lattice_points - 1;

  static double coordinate(int number) {
    return number / points_per_cell + lattice_offsets[number % points_per_cell];
  }
  /// The lattice coordinates within the triangle and the cells of interest.
  std::optional<Range> range(int axis, double low, double high) const {
    low = std::max(low, static_cast<double>(low_[axis]));
    high = std::min(high, high_[axis] + 1.0);
    if (!(low <= high)) return std::nullopt;
    Range r{points_per_cell * static_cast<int>(low),
            points_per_cell * static_cast<int>(high) + points_per_cell};
    while (coordinate(r.first) < low) ++r.first;
    while (coordinate(r.last) > high) --r.last;
    return r;
  }

  void add_triangle(const LatticeSurface& surface, std::uint32_t number, const Vec3& a,
                    const Vec3& b, const Vec3& c) {
    const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
    for (int d = 0; d < 3; ++d)
      if (!(high[d] >= low_[d] && low[d] <= high_[d] + 1)) return;
    const Vec3 normal = (b - a).cross(c - a);
    const double length = normal.norm();
    if (!(length > 0)) return;
    for (int axis = 0; axis < 3; ++axis) {
      if (normal[axis] == 0) continue;
      const int ua = (axis + 1) % 3, va = (axis + 2) % 3;
      const auto us = range(ua, low[ua], high[ua]), vs = range(va, low[va], high[va]);
      if (!us || !vs) continue;
      const std::array<double, 2> a2 = {a[ua], a[va]}, b2 = {b[ua], b[va]}, c2 = {c[ua], c[va]};
      Crossing crossing{.axis = static_cast<std::uint8_t>(axis),
                        .up = normal[axis] > 0,
                        .sheet = surface.sheet,
                        .body = surface.body,
                        .part = surface.part.empty() ? 0 : surface.part[number],
                        .triangle = number,
                        .facing = std::abs(normal[axis]) / length,
                        .normal = normal / length};
      for (int iu = us->first / points_per_cell; iu <= us->last / points_per_cell; ++iu)
        for (int iv = vs->first / points_per_cell; iv <= vs->last / points_per_cell; ++iv) {
          if (!is_wanted(axis, iu, iv)) continue;
          for (int u = std::max(us->first, points_per_cell * iu);
               u <= std::min(us->last, points_per_cell * iu + points_per_cell - 1); ++u)
            for (int v = std::max(vs->first, points_per_cell * iv);
                 v <= std::min(vs->last, points_per_cell * iv + points_per_cell - 1); ++v) {
              const std::array<double, 2> p = {coordinate(u), coordinate(v)};
              const int side = side_of(a2, b2, p);
              if (side_of(b2, c2, p) != side || side_of(c2, a2, p) != side) continue;
              const double at =
                  a[axis] -
                  (normal[ua] * (p[0] - a[ua]) + normal[va] * (p[1] - a[va])) / normal[axis];
              add_crossing(crossing, axis, u, v, std::clamp(at, low[axis], high[axis]));
            }
        }
    }
  }

  /// The index of a column of cells along an axis, with one more column around them: lines in faces
  /// belong to two cells.
  std::size_t column(int axis, int u, int v) const {
    const int ua = (axis + 1) % 3, va = (axis + 2) % 3;
    return static_cast<std::size_t>(u - low_[ua]) *
               static_cast<std::size_t>(high_[va] - low_[va] + 2) +
           static_cast<std::size_t>(v - low_[va]);
  }
  bool is_wanted(int axis, int u, int v) const {
    const int ua = (axis + 1) % 3, va = (axis + 2) % 3;
    return u >= low_[ua] && u <= high_[ua] + 1 && v >= low_[va] && v <= high_[va] + 1 &&
           columns_[axis][column(axis, u, v)];
  }

  /// Adds a crossing; a line in a face belongs to the cells on both sides.
  void add_crossing(Crossing crossing, int axis, int u, int v, double at) {
    if (u % points_per_cell == 0 && v % points_per_cell == 0) return;
    if (!(at >= low_[axis] && at < high_[axis] + 1)) return;
    Cell cell;
    cell[axis] = static_cast<int>(at);
    crossing.at = at - cell[axis];
    int segment = 0;
    while (segment + 1 < points_per_cell && crossing.at >= lattice_offsets[segment + 1]) ++segment;
    crossing.segment = static_cast<std::uint8_t>(segment);
    const auto add_at = [&](int iu, int pu, int iv, int pv) {
      cell[(axis + 1) % 3] = iu;
      cell[(axis + 2) % 3] = iv;
      crossing.u = static_cast<std::uint8_t>(pu);
      crossing.v = static_cast<std::uint8_t>(pv);
      add_to(cell, crossing);
    };
    const int iu = u / points_per_cell, pu = u % points_per_cell, iv = v / points_per_cell,
              pv = v % points_per_cell;
    add_at(iu, pu, iv, pv);
    if (pu == 0) add_at(iu - 1, lattice_points - 1, iv, pv);
    if (pv == 0) add_at(iu, pu, iv - 1, lattice_points - 1);
  }
  void add_to(const Cell& cell, const Crossing& crossing) {
    if (!grid_.contains(cell)) return;
    const auto found = std::ranges::lower_bound(index_, grid_.index(cell));
    if (found == index_.end() || *found != grid_.index(cell)) return;
    LatticeCell& lattice = cells_[static_cast<std::size_t>(found - index_.begin())];
    lattice.crossings.push_back(crossing);
    lattice.extent[crossing.axis] += crossing.facing;
  }

  const Grid& grid_;
  std::vector<LatticeCell> cells_;
  std::vector<std::size_t> index_;
  Cell low_, high_;
  /// By axis, whether lines that start in the low faces of a column cross cells of interest.
  std::array<std::vector<std::uint8_t>, 3> columns_;
};

}  // namespace

std::vector<LatticeCell> with_crossings(const Grid& grid, std::span<const Cell> cells,
                                        std::span<const LatticeSurface> surfaces) {
  LatticeRaster raster(grid, cells);
  for (const LatticeSurface& surface : surfaces) raster.add(surface);
  return raster.take();
}

}  // namespace peal::wave

#include <peal/util/denormals.h>
#include <peal/util/parallel.h>
#include <peal/wave/boundary/lattice_raster.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace peal::wave {
namespace {

constexpr int points_per_cell = lattice_points - 1;  ///< along an axis, with the low face only
constexpr std::size_t triangles_at_once = 256;       ///< of a surface, by one thread
constexpr int lines_at_once = 16;

/// A directed edge of a triangle, seen along an axis.
class ProjectedEdge {
 public:
  ProjectedEdge(const std::array<double, 2>& from, const std::array<double, 2>& to) {
    turned_ = to < from;
    const std::array<double, 2>&a = turned_ ? to : from, &b = turned_ ? from : to;
    from_ = a;
    along_ = {b[0] - a[0], b[1] - a[1]};
    holds_edge_ = b[1] != a[1] ? b[1] < a[1] : b[0] > a[0];
  }
  /// Whether a point lies to the left of the edge. The answer for the opposite direction is always
  /// the opposite, to the last bit, so that triangles with a common edge neither share a line nor
  /// omit one.
  bool has_left(double u, double v) const {
    const double value = along_[0] * (v - from_[1]) - along_[1] * (u - from_[0]);
    return ((value > 0) | ((value == 0) & holds_edge_)) != turned_;
  }

 private:
  std::array<double, 2> from_, along_;
  bool turned_, holds_edge_;
};

/// Intersects triangles with the lattice lines of some cells.
class LatticeRaster {
 public:
  LatticeRaster(const Grid& grid, std::span<const Cell> cells) : cells_(cells) {
    low_ = grid.size;
    high_ = {-1, -1, -1};
    for (const Cell& cell : cells)
      for (int d = 0; d < 3; ++d) {
        low_[d] = std::min(low_[d], cell[d]);
        high_[d] = std::max(high_[d], cell[d]);
      }
    if (cells.empty()) return;
    box_ = {.size = {high_[0] - low_[0] + 1, high_[1] - low_[1] + 1, high_[2] - low_[2] + 1}};
    slots_.assign(box_.cells(), no_slot);
    for (std::size_t i = 0; i < cells.size(); ++i)
      slots_[box_.index(in_box(cells[i]))] = static_cast<std::uint32_t>(i);
    for (int axis = 0; axis < 3; ++axis) {
      for (int n = points_per_cell * low_[axis]; n <= points_per_cell * (high_[axis] + 1); ++n)
        coordinates_[axis].push_back(n / points_per_cell + lattice_offsets[n % points_per_cell]);
      const int ua = (axis + 1) % 3, va = (axis + 2) % 3;
      columns_[axis].assign(column(axis, high_[ua] + 1, high_[va] + 1) + 1, 0);
      for (const Cell& c : cells)
        for (int u = c[ua]; u <= c[ua] + 1; ++u)
          for (int v = c[va]; v <= c[va] + 1; ++v) columns_[axis][column(axis, u, v)] = 1;
    }
  }

  std::vector<LatticeCell> run(std::span<const LatticeSurface> surfaces) const {
    std::vector<Block> blocks;
    for (const LatticeSurface& surface : surfaces)
      for (std::size_t t = 0; t < surface.triangles.size(); t += triangles_at_once)
        blocks.push_back({.surface = &surface,
                          .begin = t,
                          .end = std::min(t + triangles_at_once, surface.triangles.size())});
    util::parallel_for(static_cast<std::int64_t>(blocks.size()), [&](std::int64_t i) {
      const util::FlushDenormals guard;
      Block& block = blocks[static_cast<std::size_t>(i)];
      for (std::size_t t = block.begin; t < block.end; ++t) add_triangle(block, t);
    });
    return collect(blocks);
  }

 private:
  static constexpr std::uint32_t no_slot = ~0u;

  struct Range {
    int first, last;  ///< lattice coordinates: 5 per cell, from its low face
  };
  /// The intersection of a triangle with a line of a cell.
  struct Hit {
    std::uint32_t slot;      ///< of the cell
    std::uint32_t triangle;  ///< index in Block::triangles
    std::uint8_t axis, u, v, segment;
    double at;
  };
  /// What the crossings of a triangle have in common.
  struct Plane {
    std::uint32_t triangle;
    Vec3 normal;
  };
  /// Consecutive triangles of a surface, with the crossings that one thread finds.
  struct Block {
    const LatticeSurface* surface;
    std::size_t begin, end;
    std::vector<Plane> planes = {};
    std::vector<Hit> hits = {};
  };

  double coordinate(int axis, int number) const {
    return coordinates_[axis][static_cast<std::size_t>(number - points_per_cell * low_[axis])];
  }
  Cell in_box(const Cell& cell) const {
    return {cell[0] - low_[0], cell[1] - low_[1], cell[2] - low_[2]};
  }
  /// The lattice coordinates within the triangle and the cells of interest.
  std::optional<Range> range(int axis, double low, double high) const {
    low = std::max(low, static_cast<double>(low_[axis]));
    high = std::min(high, high_[axis] + 1.0);
    if (!(low <= high)) return std::nullopt;
    Range r{points_per_cell * static_cast<int>(low),
            points_per_cell * std::min(static_cast<int>(high) + 1, high_[axis] + 1)};
    while (coordinate(axis, r.first) < low) ++r.first;
    while (coordinate(axis, r.last) > high) --r.last;
    return r;
  }

  void add_triangle(Block& block, std::size_t number) const {
    const LatticeSurface& surface = *block.surface;
    const geometry::Triangle& corner = surface.triangles[number];
    const Vec3 &a = surface.vertices[corner[0]], &b = surface.vertices[corner[1]],
               &c = surface.vertices[corner[2]];
    const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
    for (int d = 0; d < 3; ++d)
      if (!(high[d] >= low_[d] && low[d] <= high_[d] + 1)) return;
    const Vec3 normal = (b - a).cross(c - a);
    const double length = normal.norm();
    if (!(length > 0)) return;
    const std::size_t known = block.hits.size();
    for (int axis = 0; axis < 3; ++axis) {
      if (normal[axis] == 0) continue;
      const int ua = (axis + 1) % 3, va = (axis + 2) % 3;
      const auto us = range(ua, low[ua], high[ua]), vs = range(va, low[va], high[va]);
      if (!us || !vs) continue;
      const std::array<double, 2> a2 = {a[ua], a[va]}, b2 = {b[ua], b[va]}, c2 = {c[ua], c[va]};
      const std::array<ProjectedEdge, 3> edges = {ProjectedEdge(a2, b2), ProjectedEdge(b2, c2),
                                                  ProjectedEdge(c2, a2)};
      const double* const vs_at = &coordinates_[va][0] - points_per_cell * low_[va];
      for (int u = us->first; u <= us->last; ++u) {
        const double pu = coordinate(ua, u);
        for (int begin = vs->first; begin <= vs->last; begin += lines_at_once) {
          const int count = std::min(lines_at_once, vs->last + 1 - begin);
          std::array<std::int64_t, lines_at_once> inside;
          for (int k = 0; k < count; ++k) {
            const double pv = vs_at[begin + k];
            const bool left = edges[0].has_left(pu, pv);
            // Without a branch, so that lines are vectorised.
            inside[k] = std::int64_t{edges[1].has_left(pu, pv) == left} &
                        std::int64_t{edges[2].has_left(pu, pv) == left};
          }
          for (int k = 0; k < count; ++k) {
            const int v = begin + k;
            if (!inside[k] || !is_wanted(axis, u / points_per_cell, v / points_per_cell)) continue;
            const double at =
                a[axis] -
                (normal[ua] * (pu - a[ua]) + normal[va] * (vs_at[v] - a[va])) / normal[axis];
            add_crossing(block, axis, u, v, std::clamp(at, low[axis], high[axis]));
          }
        }
      }
    }
    if (block.hits.size() > known)
      block.planes.push_back({static_cast<std::uint32_t>(number), normal / length});
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
  void add_crossing(Block& block, int axis, int u, int v, double at) const {
    const int iu = u / points_per_cell, pu = u % points_per_cell, iv = v / points_per_cell,
              pv = v % points_per_cell;
    if (pu == 0 && pv == 0) return;
    if (!(at >= low_[axis] && at < high_[axis] + 1)) return;
    Cell cell;
    cell[axis] = static_cast<int>(at);
    Hit hit{.triangle = static_cast<std::uint32_t>(block.planes.size()),
            .axis = static_cast<std::uint8_t>(axis),
            .at = at - cell[axis]};
    while (hit.segment + 1 < points_per_cell && hit.at >= lattice_offsets[hit.segment + 1])
      ++hit.segment;
    const auto add_at = [&](int cell_u, int point_u, int cell_v, int point_v) {
      cell[(axis + 1) % 3] = cell_u;
      cell[(axis + 2) % 3] = cell_v;
      hit.slot = slot_of(cell);
      if (hit.slot == no_slot) return;
      hit.u = static_cast<std::uint8_t>(point_u);
      hit.v = static_cast<std::uint8_t>(point_v);
      block.hits.push_back(hit);
    };
    add_at(iu, pu, iv, pv);
    if (pu == 0) add_at(iu - 1, lattice_points - 1, iv, pv);
    if (pv == 0) add_at(iu, pu, iv - 1, lattice_points - 1);
  }
  std::uint32_t slot_of(const Cell& cell) const {
    const Cell at = in_box(cell);
    return box_.contains(at) ? slots_[box_.index(at)] : no_slot;
  }

  /// Distributes the crossings to the cells, in the order of the surfaces and their triangles.
  std::vector<LatticeCell> collect(std::span<const Block> blocks) const {
    std::vector<std::uint32_t> count(cells_.size()), place(cells_.size());
    for (const Block& block : blocks)
      for (const Hit& hit : block.hits) ++count[hit.slot];
    std::vector<LatticeCell> crossed;
    crossed.reserve(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (count[i] == 0) continue;
      place[i] = static_cast<std::uint32_t>(crossed.size());
      crossed.push_back({.cell = cells_[i]});
      crossed.back().crossings.reserve(count[i]);
    }
    for (const Block& block : blocks) {
      const LatticeSurface& surface = *block.surface;
      for (const Hit& hit : block.hits) {
        const Plane& plane = block.planes[hit.triangle];
        LatticeCell& cell = crossed[place[hit.slot]];
        const double facing = std::abs(plane.normal[hit.axis]);
        cell.crossings.push_back({.axis = hit.axis,
                                  .u = hit.u,
                                  .v = hit.v,
                                  .segment = hit.segment,
                                  .up = plane.normal[hit.axis] > 0,
                                  .sheet = surface.sheet,
                                  .body = surface.body,
                                  .part = surface.part.empty() ? 0 : surface.part[plane.triangle],
                                  .triangle = plane.triangle,
                                  .at = hit.at,
                                  .facing = facing,
                                  .normal = plane.normal});
        cell.extent[hit.axis] += facing;
      }
    }
    return crossed;
  }

  std::span<const Cell> cells_;
  Cell low_, high_;                                 ///< lowest and highest coordinates of the cells
  Grid box_;                                        ///< of these coordinates
  std::vector<std::uint32_t> slots_;                ///< numbers of the cells, by cell of the box
  std::array<std::vector<double>, 3> coordinates_;  ///< of the lattice, by axis
  /// By axis, whether lines that start in the low faces of a column cross cells of interest.
  std::array<std::vector<std::uint8_t>, 3> columns_;
};

}  // namespace

std::vector<LatticeCell> with_crossings(const Grid& grid, std::span<const Cell> cells,
                                        std::span<const LatticeSurface> surfaces) {
  return LatticeRaster(grid, cells).run(surfaces);
}

}  // namespace peal::wave

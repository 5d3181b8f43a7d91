#include <peal/wave/boundary/cut_clip.h>
#include <peal/wave/boundary/cut_fractions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

namespace peal::wave {
namespace {

using geometry::Triangle;

/// The open areas before and after each touched cell along one axis, not yet limited to 0..1.
struct AxisSums {
  std::vector<double> low, high;   ///< by index of the surface sum
  std::vector<double> correction;  ///< amount added to each S by closing the columns
  std::vector<SolidRun> solid;     ///< in rows along x
  double residual = 0;
};

/// Sweeps the columns of touched cells along one axis.
class ColumnSweep {
 public:
  ColumnSweep(const Grid& grid, const std::vector<SurfaceSum>& sums, int axis)
      : size_(grid.size[axis]), sums_(sums), axis_(axis) {
    result_.low.resize(sums.size());
    result_.high.resize(sums.size());
    result_.correction.resize(sums.size());
  }

  AxisSums run() {
    order_ = sorted();
    for (std::size_t begin = 0; begin < order_.size();) {
      std::size_t end = begin + 1;
      while (end < order_.size() && same_column(order_[begin], order_[end])) ++end;
      sweep_column(begin, end);
      begin = end;
    }
    return std::move(result_);
  }

 private:
  int at(std::uint32_t sum) const { return sums_[sum].cell[axis_]; }

  /// The sums in the grid or just below it along this axis, by column.
  std::vector<std::uint32_t> sorted() const {
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys;
    keys.reserve(sums_.size());
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Cell& c = sums_[i].cell;
      if (c[u] < 0 || c[v] < 0) continue;
      keys.emplace_back(cell_key(c, std::max(u, v), std::min(u, v), axis_),
                        static_cast<std::uint32_t>(i));
    }
    std::ranges::sort(keys);
    std::vector<std::uint32_t> order(keys.size());
    std::ranges::transform(keys, order.begin(), [](const auto& key) { return key.second; });
    return order;
  }
  bool same_column(std::uint32_t a, std::uint32_t b) const {
    const int u = (axis_ + 1) % 3, v = (axis_ + 2) % 3;
    return sums_[a].cell[u] == sums_[b].cell[u] && sums_[a].cell[v] == sums_[b].cell[v];
  }

  void sweep_column(std::size_t begin, std::size_t end) {
    double open = 1;
    while (begin < end) {
      std::size_t run_end = begin + 1;
      while (run_end < end && at(order_[run_end]) == at(order_[run_end - 1]) + 1) ++run_end;
      open = sweep_run(begin, run_end, open);
      if (axis_ == 0 && open <= 0) {
        const Cell& last = sums_[order_[run_end - 1]].cell;
        const int next = run_end < end ? at(order_[run_end]) : size_;
        if (last[0] + 1 < next) result_.solid.push_back({last[1], last[2], last[0] + 1, next});
      }
      begin = run_end;
    }
  }

  /// Makes the prefix sum over touched cells in a row; returns the open area after them, which is
  /// whole unless the row leaves the grid.
  double sweep_run(std::size_t begin, std::size_t end, double open) {
    double total = open, area = 0;
    for (std::size_t i = begin; i < end; ++i) {
      total += sums_[order_[i]].area_vector[axis_];
      area += sums_[order_[i]].area;
    }
    const bool leaves_grid = at(order_[end - 1]) == size_ - 1;
    const double excess = leaves_grid ? 0 : total - std::round(total);
    result_.residual = std::max(result_.residual, std::abs(excess));
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t sum = order_[i];
      result_.correction[sum] = -excess * sums_[sum].area / area;
      result_.low[sum] = open;
      open += sums_[sum].area_vector[axis_] + result_.correction[sum];
      if (i + 1 == end && !leaves_grid) open = std::round(total);
      result_.high[sum] = open;
    }
    return open;
  }

  int size_;
  const std::vector<SurfaceSum>& sums_;
  int axis_;
  std::vector<std::uint32_t> order_;
  AxisSums result_;
};

double limited(double fraction) {
  return std::clamp(fraction, 0.0, 1.0);
}

CutCell cut_cell(const SurfaceSum& sum, const std::array<AxisSums, 3>& axes, std::size_t number) {
  CutCell cut{.cell = sum.cell, .wall = sum.area_vector, .wall_area = sum.area};
  for (int d = 0; d < 3; ++d) {
    cut.area[2 * d] = limited(axes[d].low[number]);
    cut.area[2 * d + 1] = limited(axes[d].high[number]);
    cut.wall[d] += axes[d].correction[number];
  }
  // A correction is placed in the middle of the cell, since its position is unknown.
  cut.volume = limited(axes[0].low[number] + sum.fill + 0.5 * axes[0].correction[number]);
  return cut;
}

/// The patch of a part: its own sum, and its fraction, by area, of the correction that closes the
/// columns.
WallPatch wall_patch(const Grid& grid, const CutCell& cut, const SurfaceSum& sum,
                     const PartSum& part) {
  return {.cell = 0,
          .part = part.part,
          .triangle = part.triangle,
          .area_vector = part.area_vector + part.area / sum.area * (cut.wall - sum.area_vector),
          .area = part.area,
          .centre = grid.origin + grid.cell_size * part.moment / part.area};
}

/// Makes the axes consistent. They may disagree about an untouched cell where the mesh has holes;
/// the rows along x decide, so that both sides of every face have the same open area.
void agree_with_untouched(const Grid& grid, CutFractions& body) {
  const auto before = [&](const CutCell& a, const Cell& b) {
    return grid.index(a.cell) < grid.index(b);
  };
  for (CutCell& cut : body.cells)
    for (int face = 2; face < cell_faces; ++face) {
      const Cell next = beyond(cut.cell, face);
      if (!grid.contains(next)) continue;
      const auto found = std::lower_bound(body.cells.begin(), body.cells.end(), next, before);
      if (found != body.cells.end() && found->cell == next) continue;
      cut.area[face] = is_solid(body.solid, next) ? 0 : 1;
    }
}

/// Stores the surface for lattices.
void keep_surface(const Grid& grid, std::span<const Vec3> vertices,
                  std::span<const Triangle> triangles, std::span<const std::uint32_t> part,
                  CutFractions& body) {
  const Vec3 shift(1.03e-6, 0.71e-6, 1.37e-6);
  body.vertices.resize(vertices.size());
  std::ranges::transform(vertices, body.vertices.begin(),
                         [&](const Vec3& v) -> Vec3 { return grid.to_cells(v) + shift; });
  body.triangles.assign(triangles.begin(), triangles.end());
  body.part.assign(part.begin(), part.end());
}

/// Indices of the sums within the grid, in the order of its index.
std::vector<std::uint32_t> order_in_grid(const Grid& grid, std::span<const SurfaceSum> sums) {
  std::vector<std::pair<std::size_t, std::uint32_t>> keys;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (grid.contains(sums[i].cell))
      keys.emplace_back(grid.index(sums[i].cell), static_cast<std::uint32_t>(i));
  std::ranges::sort(keys);
  std::vector<std::uint32_t> order(keys.size());
  std::ranges::transform(keys, order.begin(), [](const auto& key) { return key.second; });
  return order;
}

}  // namespace

CutFractions cut_fractions(const Grid& grid, std::span<const Vec3> vertices,
                           std::span<const Triangle> triangles,
                           std::span<const std::uint32_t> part) {
  const ClippedSurface surface = clip_surface(grid, vertices, triangles, part);
  const std::vector<SurfaceSum>& sums = surface.cells;
  std::array<AxisSums, 3> axes;
  for (int d = 0; d < 3; ++d) axes[d] = ColumnSweep(grid, sums, d).run();

  CutFractions body;
  body.solid = std::move(axes[0].solid);
  for (const std::uint32_t i : order_in_grid(grid, sums)) {
    const CutCell& cut = body.cells.emplace_back(cut_cell(sums[i], axes, i));
    for (std::uint32_t p = sums[i].first_part; p != no_part; p = surface.parts[p].next) {
      body.patches.push_back(wall_patch(grid, cut, sums[i], surface.parts[p]));
      body.patches.back().cell = static_cast<std::uint32_t>(body.cells.size() - 1);
    }
  }
  for (const AxisSums& axis : axes) body.residual = std::max(body.residual, axis.residual);
  if (body.residual > 1e-6) agree_with_untouched(grid, body);
  keep_surface(grid, vertices, triangles, part, body);
  return body;
}

CutFractions cut_fractions(const Grid& grid, const geometry::TriMesh& mesh) {
  return cut_fractions(grid, mesh.vertices, mesh.triangles);
}

CutFractions cut_sheet(const Grid& grid, std::span<const Vec3> vertices,
                       std::span<const Triangle> triangles, std::span<const std::uint32_t> part) {
  const ClippedSurface surface = clip_surface(grid, vertices, triangles, part);
  CutFractions sheet{.is_sheet = true};
  for (const std::uint32_t i : order_in_grid(grid, surface.cells)) {
    const SurfaceSum& sum = surface.cells[i];
    const CutCell& cut = sheet.cells.emplace_back(CutCell{.cell = sum.cell,
                                                          .volume = 1,
                                                          .area = {1, 1, 1, 1, 1, 1},
                                                          .wall = sum.area_vector,
                                                          .wall_area = sum.area});
    for (std::uint32_t p = sum.first_part; p != no_part; p = surface.parts[p].next) {
      sheet.patches.push_back(wall_patch(grid, cut, sum, surface.parts[p]));
      sheet.patches.back().cell = static_cast<std::uint32_t>(sheet.cells.size() - 1);
    }
  }
  keep_surface(grid, vertices, triangles, part, sheet);
  return sheet;
}

CutFractions cut_sheet(const Grid& grid, const geometry::TriMesh& mesh) {
  return cut_sheet(grid, mesh.vertices, mesh.triangles);
}

bool is_solid(std::span<const SolidRun> runs, const Cell& cell) {
  const auto index = std::tuple(cell[2], cell[1], cell[0]);
  auto after = std::upper_bound(runs.begin(), runs.end(), index, [](const auto& p, auto& run) {
    return p < std::tuple(run.z, run.y, run.begin);
  });
  if (after == runs.begin()) return false;
  const SolidRun& run = *std::prev(after);
  return run.z == cell[2] && run.y == cell[1] && cell[0] < run.end;
}

std::vector<SolidRun> merged(std::vector<SolidRun> runs) {
  std::ranges::sort(runs, {},
                    [](const SolidRun& r) { return std::tuple(r.z, r.y, r.begin, r.end); });
  std::vector<SolidRun> whole;
  for (const SolidRun& run : runs) {
    const bool joins = !whole.empty() && whole.back().z == run.z && whole.back().y == run.y &&
                       run.begin <= whole.back().end;
    if (joins)
      whole.back().end = std::max(whole.back().end, run.end);
    else
      whole.push_back(run);
  }
  return whole;
}

}  // namespace peal::wave

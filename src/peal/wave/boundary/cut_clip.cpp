#include <peal/wave/boundary/cut_clip.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace peal::wave {
namespace {

/// A convex polygon: a triangle cut by the six planes of a cell has at most nine corners.
struct ConvexPolygon {
  std::array<Vec3, 10> corner;
  int count = 0;

  void add(const Vec3& p) { corner[count++] = p; }
  std::pair<double, double> range(int axis) const {
    double low = corner[0][axis], high = low;
    for (int i = 1; i < count; ++i) {
      low = std::min(low, corner[i][axis]);
      high = std::max(high, corner[i][axis]);
    }
    return {low, high};
  }
};

/// Splits a polygon that extends to both sides of a plane across `axis` into its two parts.
void split(const ConvexPolygon& whole, int axis, double plane, ConvexPolygon& below,
           ConvexPolygon& above) {
  below.count = above.count = 0;
  for (int i = 0; i < whole.count; ++i) {
    const Vec3& a = whole.corner[i];
    const Vec3& b = whole.corner[i + 1 < whole.count ? i + 1 : 0];
    const double da = a[axis] - plane, db = b[axis] - plane;
    if (da <= 0) below.add(a);
    if (da >= 0) above.add(a);
    if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
      Vec3 cross = a + da / (da - db) * (b - a);
      cross[axis] = plane;
      below.add(cross);
      above.add(cross);
    }
  }
}

/// A hash table with open addressing from cell to sum; the sums keep the order of first touch.
class CellTable {
 public:
  CellTable() : slots_(1024, empty_slot) {}

  SurfaceSum& at(const Cell& cell) {
    if (2 * sums_.size() >= slots_.size()) grow();
    const std::uint64_t key = cell_key(cell, 2, 1, 0);
    const std::size_t slot = find(key);
    if (slots_[slot] == empty_slot) {
      slots_[slot] = static_cast<std::uint32_t>(sums_.size());
      sums_.push_back({.cell = cell});
      keys_.push_back(key);
    }
    return sums_[slots_[slot]];
  }
  std::vector<SurfaceSum> take() { return std::move(sums_); }
  std::size_t size() const { return sums_.size(); }

 private:
  static constexpr std::uint32_t empty_slot = ~0u;

  std::size_t find(std::uint64_t key) const {
    const std::uint64_t hash = key * 0x9E3779B97F4A7C15ull;
    std::size_t slot = (hash >> 24) & (slots_.size() - 1);
    while (slots_[slot] != empty_slot && keys_[slots_[slot]] != key)
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow() {
    slots_.assign(2 * slots_.size(), empty_slot);
    for (std::size_t i = 0; i < sums_.size(); ++i)
      slots_[find(keys_[i])] = static_cast<std::uint32_t>(i);
  }

  std::vector<std::uint32_t> slots_;
  std::vector<SurfaceSum> sums_;
  std::vector<std::uint64_t> keys_;  ///< of the cells of sums_
};

/// Whether a point is within range; false if it is not finite.
bool is_near(const Vec3& p) {
  constexpr double far_away = 0x1p40;  // [cells]
  return (p.array().abs() < far_away).all();
}

class Clipper {
 public:
  Clipper(const Grid& grid, std::vector<SurfacePiece>* pieces) : grid_(grid), pieces_(pieces) {}

  void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, std::uint32_t number,
                    std::uint32_t part) {
    triangle_ = number;
    part_ = part;
    if (!is_near(a) || !is_near(b) || !is_near(c)) return;
    const Vec3 low = a.cwiseMin(b).cwiseMin(c);
    for (int d = 0; d < 3; ++d)
      if (low[d] > grid_.size[d]) return;
    base_ = low.array().floor();
    normal_ = (b - a).cross(c - a);
    if (normal_.isZero(0)) return;
    ConvexPolygon polygon;
    for (const Vec3& p : {a, b, c}) polygon.add(p - base_);
    slice(polygon, 0, 0);
  }
  ClippedSurface take() { return {table_.take(), std::move(parts_)}; }

 private:
  /// Cuts a polygon along `axis` into the layers of the grid, then each layer along the next axis.
  void slice(const ConvexPolygon& polygon, int axis, int axes_below) {
    if (axis == 3) return add_segment(polygon);
    const auto [low, high] = polygon.range(axis);
    double first = std::floor(low), last = std::ceil(high) - 1;
    if (low == high && low == first) first = last = normal_[axis] > 0 ? low : low - 1;
    first = std::max(first, -1 - base_[axis]);
    last = std::min(last, grid_.size[axis] - base_[axis]);
    if (last < first) last = first;
    const ConvexPolygon* rest = &polygon;
    ConvexPolygon below, above[2];
    int spare = 0;
    for (double layer = first; layer <= last; ++layer) {
      cell_[axis] = static_cast<int>(layer + base_[axis]);
      if (cell_[axis] >= grid_.size[axis]) return;
      const ConvexPolygon* patch = rest;
      if (layer < last) {
        split(*rest, axis, layer + 1, below, above[spare]);
        patch = &below;
        rest = &above[spare];
        spare = 1 - spare;
      }
      const int outside = axes_below + (cell_[axis] < 0 ? 1 : 0);
      if (outside < 2) slice(*patch, axis + 1, outside);
    }
  }

  void add_segment(const ConvexPolygon& patch) {
    const double x_high = cell_[0] + 1 - base_.x();
    Vec3 area_vector = Vec3::Zero(), moment = Vec3::Zero();
    double fill = 0;
    const Vec3& p0 = patch.corner[0];
    for (int i = 2; i < patch.count; ++i) {
      const Vec3 &p1 = patch.corner[i - 1], &p2 = patch.corner[i];
      const Vec3 area = 0.5 * (p1 - p0).cross(p2 - p0);
      const Vec3 centre = (p0 + p1 + p2) / 3;
      area_vector += area;
      fill += area.x() * (x_high - centre.x());
      moment += area.norm() * centre;
    }
    const double area = area_vector.norm();
    if (area == 0) return;
    if (pieces_ != nullptr)
      pieces_->push_back({cell_, part_, triangle_, area, base_ + moment / area});
    const std::size_t known = table_.size();
    SurfaceSum& sum = table_.at(cell_);
    if (table_.size() > known) sum.first_part = new_part(no_part);
    sum.area_vector += area_vector;
    sum.fill += fill;
    sum.area += area;
    PartSum& part = part_of(sum);
    part.area_vector += area_vector;
    part.area += area;
    part.moment += moment + area * base_;
    if (area > part.largest) {
      part.largest = area;
      part.triangle = triangle_;
    }
  }

  /// Adds a sum for the part of the current triangle, before `next` in the chain of its cell.
  std::uint32_t new_part(std::uint32_t next) {
    parts_.push_back({.part = part_, .next = next, .triangle = triangle_});
    return static_cast<std::uint32_t>(parts_.size() - 1);
  }
  PartSum& part_of(SurfaceSum& sum) {
    std::uint32_t before = no_part, at = sum.first_part;
    while (at != no_part && parts_[at].part < part_) before = std::exchange(at, parts_[at].next);
    if (at == no_part || parts_[at].part != part_) {
      at = new_part(at);
      (before == no_part ? sum.first_part : parts_[before].next) = at;
    }
    return parts_[at];
  }

  const Grid& grid_;
  std::vector<SurfacePiece>* pieces_;  ///< null: not asked for
  CellTable table_;
  std::vector<PartSum> parts_;
  std::uint32_t triangle_ = 0, part_ = 0;
  Vec3 base_;    ///< of this triangle: its local frame starts at this corner of the grid
  Vec3 normal_;  ///< of this triangle, any length
  Cell cell_{};
};

}  // namespace

ClippedSurface clip_surface(const Grid& grid, std::span<const Vec3> vertices,
                            std::span<const geometry::Triangle> triangles,
                            std::span<const std::uint32_t> part,
                            std::vector<SurfacePiece>* pieces) {
  constexpr double position_quantum = 0x1p-40;
  std::vector<Vec3> in_cells(vertices.size());
  std::ranges::transform(vertices, in_cells.begin(), [&](const Vec3& v) -> Vec3 {
    return (grid.to_cells(v) / position_quantum).array().round() * position_quantum;
  });
  Clipper clipper(grid, pieces);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const geometry::Triangle& t = triangles[i];
    clipper.add_triangle(in_cells[t[0]], in_cells[t[1]], in_cells[t[2]],
                         static_cast<std::uint32_t>(i), part.empty() ? 0 : part[i]);
  }
  return clipper.take();
}

}  // namespace peal::wave

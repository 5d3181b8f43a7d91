#include <peal/geometry/shapes/shape_limits.h>
#include <peal/geometry/volume/hex_cuts.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace peal::geometry {
namespace {

/// Cells of a side view (x, z) that is drawn out along Y.
class SideView {
 public:
  /// The third direction of cells is along y if the body `is_flat`, otherwise along z.
  SideView(double height, int layers, bool is_flat)
      : height_(height), layers_(layers), is_flat_(is_flat) {}

  std::uint32_t node(const Vec2& at) {
    places_.push_back(at);
    return static_cast<std::uint32_t>(places_.size() - 1);
  }
  /// From lower to upper z: a, b below, c above a, d above b, with b further along x.
  void cell(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    quads_.push_back({a, b, c, d});
  }

  HexMesh mesh() const {
    HexMesh mesh;
    const auto n = static_cast<std::uint32_t>(places_.size());
    for (int layer = 0; layer <= layers_; ++layer) {
      const double y = height_ * (static_cast<double>(layer) / layers_ - 0.5);
      for (const Vec2& p : places_) mesh.vertices.emplace_back(p.x(), y, p.y());
    }
    for (int layer = 0; layer < layers_; ++layer) {
      const std::uint32_t low = n * layer, high = low + n;
      for (const auto& [a, b, c, d] : quads_) {
        if (is_flat_) {  // r along z, s along x, t along y
          mesh.hexes.push_back(
              {a + low, c + low, b + low, d + low, a + high, c + high, b + high, d + high});
        } else {  // r along x, s along y, t along z
          mesh.hexes.push_back(
              {a + low, b + low, a + high, b + high, c + low, d + low, c + high, d + high});
        }
      }
    }
    return mesh;
  }

 private:
  double height_;
  int layers_;
  bool is_flat_;
  std::vector<Vec2> places_;
  std::vector<std::array<std::uint32_t, 4>> quads_;
};

/// An outline and then its holes.
using Loops = std::vector<Polygon>;

bool is_rectilinear(const Loops& loops) {
  for (const Polygon& loop : loops) {
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec2 side = loop[(i + 1) % loop.size()] - loop[i];
      if (side.x() != 0.0 && side.y() != 0.0) return false;
    }
  }
  return true;
}

/// The coordinates of corners along an axis, and equal pieces between them, `least` or more.
std::vector<double> grid_lines(const Loops& loops, int axis, double edge_length, int least) {
  std::vector<double> corners;
  for (const Polygon& loop : loops) {
    for (const Vec2& corner : loop) corners.push_back(corner[axis]);
  }
  util::sort_unique(corners);
  std::vector<double> lines = {corners.front()};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const int count = std::max(least, pieces(corners[i] - corners[i - 1], edge_length));
    for (int k = 1; k < count; ++k) {
      lines.push_back(corners[i - 1] + (corners[i] - corners[i - 1]) * k / count);
    }
    lines.push_back(corners[i]);
  }
  return lines;
}

/// `least` cells at least lie side by side in each of its parts.
void add_rectilinear(SideView& view, const Loops& loops, double edge_length, int least) {
  const auto x = grid_lines(loops, 0, edge_length, least);
  const auto z = grid_lines(loops, 1, edge_length, least);
  require_hex_budget(static_cast<double>(x.size() * z.size()));
  std::map<std::array<std::size_t, 2>, std::uint32_t> nodes;
  const auto at = [&](std::size_t i, std::size_t k) {
    const auto found = nodes.find({i, k});
    if (found != nodes.end()) return found->second;
    return nodes[{i, k}] = view.node({x[i], z[k]});
  };
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    for (std::size_t k = 0; k + 1 < z.size(); ++k) {
      const Vec2 centre(0.5 * (x[i] + x[i + 1]), 0.5 * (z[k] + z[k + 1]));
      const auto around = [&](const Polygon& loop) { return contains(loop, centre); };
      if (std::ranges::count_if(loops, around) != 1) continue;  // outside, or in a hole
      const std::uint32_t a = at(i, k), b = at(i + 1, k), c = at(i, k + 1), d = at(i + 1, k + 1);
      view.cell(a, b, c, d);
    }
  }
}

/// The sides of a counter-clockwise outline below and above, both from left to right; end faces
/// belong to neither. Throws if a side turns back.
std::array<std::vector<Vec2>, 2> lower_and_upper(const Polygon& outline) {
  const std::size_t n = outline.size();
  const auto less = [](const Vec2& a, const Vec2& b) { return a.x() < b.x(); };
  const double left = std::min_element(outline.begin(), outline.end(), less)->x();
  const double right = std::max_element(outline.begin(), outline.end(), less)->x();
  std::array<std::vector<Vec2>, 2> sides;
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 &a = outline[i], &b = outline[(i + 1) % n];
    if (a.x() == b.x()) {
      if (a.x() == left || a.x() == right) continue;
      throw std::invalid_argument("a step between slopes cannot be cut into hexahedra");
    }
    auto& side = sides[a.x() < b.x() ? 0 : 1];
    side.push_back(a);
    side.push_back(b);
  }
  for (auto& side : sides) {
    std::sort(side.begin(), side.end(), less);
    side.erase(std::unique(side.begin(), side.end()), side.end());
    // One that turns back meets a value of x more than once.
    for (std::size_t i = 1; i < side.size(); ++i) {
      if (side[i].x() <= side[i - 1].x()) {
        throw std::invalid_argument(
            "an outline that turns back along x cannot be cut into hexahedra");
      }
    }
  }
  return sides;
}

double height_at(const std::vector<Vec2>& side, double x) {
  const auto after = std::upper_bound(side.begin() + 1, side.end() - 1, x,
                                      [](double value, const Vec2& p) { return value < p.x(); });
  const Vec2 &b = *after, &a = *(after - 1);
  return a.y() + (b.y() - a.y()) * (x - a.x()) / (b.x() - a.x());
}

/// The heights of nodes at places along a side with which straight cells have its mean height each,
/// or nearly: the chords of an arch cut it short, and stiffness goes by the cube of the thickness.
std::vector<double> fitted_heights(const std::vector<Vec2>& side, const std::vector<double>& x) {
  std::vector<double> corners = x;
  for (const Vec2& corner : side) corners.push_back(corner.x());
  std::sort(corners.begin(), corners.end());
  std::vector<double> heights, short_by;  // of cells: the mean of the side above the chord [m]
  for (const double at : x) heights.push_back(height_at(side, at));
  auto corner = corners.begin();
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    double area = 0.0;
    for (; *corner < x[i + 1]; ++corner) {
      const double a = height_at(side, *corner), b = height_at(side, *(corner + 1));
      area += 0.5 * (a + b) * (*(corner + 1) - *corner);
    }
    short_by.push_back(area / (x[i + 1] - x[i]) - 0.5 * (heights[i] + heights[i + 1]));
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double before = short_by[i > 0 ? i - 1 : 0];
    heights[i] += 0.5 * (before + short_by[std::min(i, x.size() - 2)]);
  }
  return heights;
}

/// From the least to the largest coordinate along an axis [m].
double extent(const Polygon& outline, int axis) {
  const auto [low, high] =
      std::ranges::minmax_element(outline, {}, [axis](const Vec2& corner) { return corner[axis]; });
  return (*high)[axis] - (*low)[axis];
}

/// Columns of cells from the lower to the upper side: one cell where the body is thinner that way
/// than along y.
void add_columns(SideView& view, const Polygon& outline, double edge_length, bool is_flat) {
  const auto [lower, upper] = lower_and_upper(outline);
  // Cut at the corners of both sides.
  std::vector<double> stations = {lower.front().x(), lower.back().x()};
  for (const auto* side : {&lower, &upper}) {
    for (std::size_t i = 1; i + 1 < side->size(); ++i) {
      const double turn = turn_between((*side)[i] - (*side)[i - 1], (*side)[i + 1] - (*side)[i]);
      if (std::abs(turn) > corner_turn) stations.push_back((*side)[i].x());
    }
  }
  util::sort_unique(stations);
  const auto x = cut_places(stations, edge_length);
  const int rows = is_flat ? pieces(extent(outline, 1), edge_length) : 1;
  require_hex_budget(static_cast<double>(x.size()) * rows);
  const auto lows = fitted_heights(lower, x), highs = fitted_heights(upper, x);
  std::vector<std::uint32_t> before;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double low = lows[i], high = highs[i];
    if (!(high > low)) {
      throw std::invalid_argument("an outline with a pointed end cannot be cut into hexahedra");
    }
    std::vector<std::uint32_t> column;
    for (int k = 0; k <= rows; ++k)
      column.push_back(view.node({x[i], low + (high - low) * k / rows}));
    for (std::size_t k = 0; k + 1 < before.size(); ++k) {
      view.cell(before[k], column[k], before[k + 1], column[k + 1]);
    }
    before = column;
  }
}

/// Simple, counter-clockwise, without a last corner that repeats the first.
Loops checked_loops(const HexExtrusion& extrusion) {
  Loops loops = {extrusion.outline};
  loops.insert(loops.end(), extrusion.holes.begin(), extrusion.holes.end());
  for (Polygon& loop : loops) {
    if (loop.size() > 1 && loop.front() == loop.back()) loop.pop_back();
    if (loop.size() < 3) throw std::invalid_argument("an outline needs three corners");
    if (signed_area(loop) < 0.0) std::reverse(loop.begin(), loop.end());
  }
  if (first_crossing(loops)) {
    throw std::invalid_argument("the outline of an extrusion must be simple");
  }
  return loops;
}

}  // namespace

bool is_notched(const HexExtrusion& extrusion) {
  if (!extrusion.holes.empty()) return true;
  const Polygon& outline = extrusion.outline;
  const double turning = signed_area(outline) > 0.0 ? 1.0 : -1.0;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 &corner = outline[(i + 1) % outline.size()],
               &next = outline[(i + 2) % outline.size()];
    if (turning * turn_between(corner - outline[i], next - corner) < -corner_turn) return true;
  }
  return false;
}

HexMesh extruded_hexes(const HexExtrusion& extrusion, double edge_length) {
  const double height = extrusion.height;
  require_positive(height, "the height of an extrusion");
  require_positive(edge_length, "an edge length");
  const Loops loops = checked_loops(extrusion);
  const bool is_flat = height < std::min(extent(loops[0], 0), extent(loops[0], 1));
  const int layers = is_flat ? layers_across(height, edge_length) : pieces(height, edge_length);
  SideView view(height, layers, is_flat);
  if (is_rectilinear(loops)) {
    // The sides of a frame of one cell bend and twist up to 2 % too slowly.
    add_rectilinear(view, loops, edge_length, is_flat ? 2 : 1);
  } else if (loops.size() > 1) {
    throw std::invalid_argument(
        "holes can be cut into hexahedra only where all sides are along x or z");
  } else {
    add_columns(view, loops[0], edge_length, is_flat);
  }
  return view.mesh();
}

}  // namespace peal::geometry

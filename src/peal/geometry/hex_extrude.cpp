#include <peal/geometry/hex_cuts.h>
#include <peal/geometry/hex_shapes.h>
#include <peal/geometry/shape_limits.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace peal::geometry {
namespace {

/// Cells of a side view (x, z) that is drawn out along Y.
class SideView {
 public:
  SideView(double height, int layers) : height_(height), layers_(layers) {}

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
        // r along x, s along y, t along z.
        mesh.hexes.push_back(
            {a + low, b + low, a + high, b + high, c + low, d + low, c + high, d + high});
      }
    }
    return mesh;
  }

 private:
  double height_;
  int layers_;
  std::vector<Vec2> places_;
  std::vector<std::array<std::uint32_t, 4>> quads_;
};

bool is_rectilinear(const Polygon& outline) {
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 side = outline[(i + 1) % outline.size()] - outline[i];
    if (side.x() != 0.0 && side.y() != 0.0) return false;
  }
  return true;
}

/// The coordinates of corners along an axis, and equal pieces between them.
std::vector<double> grid_lines(const Polygon& outline, int axis, double edge_length) {
  std::vector<double> corners;
  for (const Vec2& corner : outline) corners.push_back(corner[axis]);
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  std::vector<double> lines = {corners.front()};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const int count = pieces(corners[i] - corners[i - 1], edge_length);
    for (int k = 1; k < count; ++k) {
      lines.push_back(corners[i - 1] + (corners[i] - corners[i - 1]) * k / count);
    }
    lines.push_back(corners[i]);
  }
  return lines;
}

void add_rectilinear(SideView& view, const Polygon& outline, double edge_length) {
  const auto x = grid_lines(outline, 0, edge_length), z = grid_lines(outline, 1, edge_length);
  require_hex_budget(static_cast<double>(x.size() * z.size()));
  std::map<std::array<std::size_t, 2>, std::uint32_t> nodes;
  const auto at = [&](std::size_t i, std::size_t k) {
    const auto found = nodes.find({i, k});
    if (found != nodes.end()) return found->second;
    return nodes[{i, k}] = view.node({x[i], z[k]});
  };
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    for (std::size_t k = 0; k + 1 < z.size(); ++k) {
      if (!contains(outline, {0.5 * (x[i] + x[i + 1]), 0.5 * (z[k] + z[k + 1])})) continue;
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

/// One cell from the lower to the upper side.
void add_columns(SideView& view, const Polygon& outline, double edge_length) {
  const auto [lower, upper] = lower_and_upper(outline);
  // Cut at the corners of both sides.
  std::vector<double> stations = {lower.front().x(), lower.back().x()};
  for (const auto* side : {&lower, &upper}) {
    for (std::size_t i = 1; i + 1 < side->size(); ++i) {
      const Vec2 before = ((*side)[i] - (*side)[i - 1]).normalized();
      const Vec2 after = ((*side)[i + 1] - (*side)[i]).normalized();
      if (before.dot(after) < corner_cosine) stations.push_back((*side)[i].x());
    }
  }
  std::sort(stations.begin(), stations.end());
  stations.erase(std::unique(stations.begin(), stations.end()), stations.end());
  const auto x = cut_places(stations, edge_length);
  std::uint32_t below = 0, above = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double low = height_at(lower, x[i]), high = height_at(upper, x[i]);
    if (!(high > low)) {
      throw std::invalid_argument("an outline with a pointed end cannot be cut into hexahedra");
    }
    const std::uint32_t next_below = view.node({x[i], low}), next_above = view.node({x[i], high});
    if (i > 0) view.cell(below, next_below, above, next_above);
    below = next_below;
    above = next_above;
  }
}

}  // namespace

HexMesh extruded_hexes(const Polygon& outline, double height, double edge_length, int layers) {
  require_positive(height, "the height of an extrusion");
  require_positive(edge_length, "an edge length");
  if (layers < 1) throw std::invalid_argument("an extrusion needs a cell along its height");
  Polygon corners = outline;
  if (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
  if (corners.size() < 3 || first_crossing({corners})) {
    throw std::invalid_argument("the outline of an extrusion must be simple");
  }
  if (signed_area(corners) < 0.0) std::reverse(corners.begin(), corners.end());
  SideView view(height, layers);
  if (is_rectilinear(corners)) {
    add_rectilinear(view, corners, edge_length);
  } else {
    add_columns(view, corners, edge_length);
  }
  return view.mesh();
}

}  // namespace peal::geometry

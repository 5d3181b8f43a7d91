#include <peal/geometry/shapes/shape_limits.h>
#include <peal/geometry/volume/hex_cuts.h>
#include <peal/geometry/volume/hex_shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace peal::geometry {
namespace {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
// C++20 deduces this for aggregates, but clang only does so from version 17 on.
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace

void require_hex_budget(double count) {
  constexpr double most = 2e6;
  if (count <= most) return;
  throw std::invalid_argument(
      fmt::format("{:.2g} hexahedra are more than {:.0g}; make them larger", count, most));
}

double length_of(const std::vector<Vec2>& line) {
  double sum = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i) sum += (line[i] - line[i - 1]).norm();
  return sum;
}

std::vector<double> cut_places(const std::vector<double>& corners, double piece) {
  std::vector<double> places = {corners.front()};
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const double length = corners[i] - corners[i - 1];
    const int pieces_here = std::max(1, static_cast<int>(std::lround(length / piece)));
    for (int k = 1; k <= pieces_here; ++k) {
      places.push_back(corners[i - 1] + length * k / pieces_here);
    }
  }
  return places;
}

int layers_across(double thickness, double edge_length) {
  constexpr double thickest_layer = 6.0;
  return thickness <= thickest_layer * edge_length ? 1 : pieces(thickness, edge_length);
}

HexMesh box_hexes(const Vec3& size, const std::array<int, 3>& divisions, int across,
                  std::optional<int> along) {
  double count = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    require_positive(size[axis], "a side of a box");
    if (divisions[axis] < 1) throw std::invalid_argument("a box needs a cell along each side");
    count *= divisions[axis];
  }
  require_hex_budget(count);
  // Directions of the cells: right-handed, with t from low to high or back.
  const int r = along.value_or((across + 1) % 3), s = 3 - across - r, t = across;
  const double up = r == (across + 1) % 3 ? 1.0 : -1.0;
  const int stride[3] = {1, divisions[r] + 1, (divisions[r] + 1) * (divisions[s] + 1)};
  HexMesh mesh;
  for (int k = 0; k <= divisions[t]; ++k) {
    for (int j = 0; j <= divisions[s]; ++j) {
      for (int i = 0; i <= divisions[r]; ++i) {
        Vec3& p = mesh.vertices.emplace_back();
        p[r] = size[r] * (static_cast<double>(i) / divisions[r] - 0.5);
        p[s] = size[s] * (static_cast<double>(j) / divisions[s] - 0.5);
        p[t] = up * size[t] * (static_cast<double>(k) / divisions[t] - 0.5);
        if (i == divisions[r] || j == divisions[s] || k == divisions[t]) continue;
        Hex& hex = mesh.hexes.emplace_back();
        const int first = i * stride[0] + j * stride[1] + k * stride[2];
        for (int c = 0; c < 8; ++c) {
          hex[c] = static_cast<std::uint32_t>(first + (c & 1) + (c >> 1 & 1) * stride[1] +
                                              (c >> 2) * stride[2]);
        }
      }
    }
  }
  return mesh;
}

TetMesh box_tets(const Vec3& size, const std::array<int, 3>& divisions) {
  constexpr int cuts[2][5][4] = {
      {{0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}},
      {{1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}, {0, 3, 5, 6}}};
  const HexMesh boxes = box_hexes(size, divisions, 2);
  TetMesh mesh{boxes.vertices, {}};
  for (std::size_t e = 0; e < boxes.hexes.size(); ++e) {
    const std::size_t i = e % divisions[0], j = e / divisions[0] % divisions[1];
    const std::size_t k = e / divisions[0] / divisions[1];
    const Hex& hex = boxes.hexes[e];
    for (const auto& [a, b, c, d] : cuts[(i + j + k) % 2]) {
      mesh.tets.push_back({hex[a], hex[b], hex[c], hex[d]});
    }
  }
  return mesh;
}

HexMesh divided_box(const HexBoxShape& box, const std::array<int, 3>& divisions) {
  int across = 0;
  box.size.minCoeff(&across);
  const int r = (across + 1) % 3, s = (across + 2) % 3;
  HexMesh mesh = box_hexes(box.size, divisions, across, divisions[r] < divisions[s] ? s : r);
  for (Vec3& vertex : mesh.vertices) vertex += box.centre;
  return mesh;
}

HexMesh hexes_of(const HexShape& shape, double edge_length, int least_around) {
  require_positive(edge_length, "an edge length");
  return std::visit(
      Overloaded{
          [&](const HexBoxShape& box) {
            std::array<int, 3> divisions{};
            for (int i = 0; i < 3; ++i) divisions[i] = pieces(box.size[i], edge_length);
            int across = 0;
            const double thickness = box.size.minCoeff(&across);
            divisions[static_cast<std::size_t>(across)] = layers_across(thickness, edge_length);
            return divided_box(box, divisions);
          },
          [&](const HexWallShape& wall) {
            double radius = 0.0;
            for (const Vec2& p : wall.profile) radius = std::max(radius, p.x());
            const int quarter = pieces(0.5 * std::numbers::pi * radius, edge_length);
            return lathe_hexes(wall.profile, wall.wall, std::max(least_around, 4 * quarter),
                               pieces(length_of(wall.profile), edge_length));
          },
          [&](const HexExtrusion& extrusion) { return extruded_hexes(extrusion, edge_length); }},
      shape);
}

}  // namespace peal::geometry

#include <peal/geometry/shapes/planar_mesh.h>
#include <peal/geometry/shapes/shape_limits.h>
#include <peal/geometry/shapes/shapes.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace peal::geometry {
namespace {

std::string outline_place(const Vec2& p) {
  return fmt::format("(x, z) = ({:.4g}, {:.4g})", p.x(), p.y());
}

void clean_polygon(Polygon& polygon, const std::string& what) {
  if (polygon.size() > 1 && polygon.front() == polygon.back()) polygon.pop_back();
  if (polygon.size() < 3) {
    throw std::invalid_argument(
        fmt::format("{} needs at least 3 corners, not {}", what, polygon.size()));
  }
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    if (!polygon[i].allFinite())
      throw std::invalid_argument(what + " has a corner that is not finite");
    if (polygon[i] == polygon[(i + 1) % polygon.size()]) {
      throw std::invalid_argument(fmt::format("{} has the corner {} twice in a row; give it once",
                                              what, outline_place(polygon[i])));
    }
  }
}

void orient(Polygon& polygon, bool counter_clockwise) {
  if ((signed_area(polygon) > 0.0) != counter_clockwise)
    std::reverse(polygon.begin(), polygon.end());
}

void check_polygons(Polygon& outline, std::vector<Polygon>& holes) {
  clean_polygon(outline, "the outline");
  std::vector<Polygon> all = {outline};
  for (std::size_t i = 0; i < holes.size(); ++i) {
    clean_polygon(holes[i], fmt::format("hole {}", i));
    all.push_back(holes[i]);
  }
  if (const auto crossing = first_crossing(all)) {
    throw std::invalid_argument(
        fmt::format("the outline or a hole crosses or touches itself or another near {}; "
                    "outlines must be simple and apart from each other",
                    outline_place(*crossing)));
  }
  for (std::size_t i = 0; i < holes.size(); ++i) {
    if (!contains(outline, holes[i][0])) {
      throw std::invalid_argument(
          fmt::format("hole {} of an extrusion lies outside its outline; move it inside", i));
    }
    for (std::size_t j = 0; j < holes.size(); ++j) {
      if (i != j && contains(holes[j], holes[i][0])) {
        throw std::invalid_argument(
            fmt::format("hole {} of an extrusion lies inside hole {}; leave it out", i, j));
      }
    }
  }
  orient(outline, true);
  for (Polygon& hole : holes) orient(hole, false);
}

/// Sides of the triangulated region that only one triangle has, in that triangle's direction.
std::vector<std::array<std::uint32_t, 2>> rim(const PlanarMesh& mesh) {
  std::unordered_map<std::uint64_t, std::array<std::uint32_t, 2>> open;
  std::vector<std::array<std::uint32_t, 2>> sides;
  const auto key = [](std::uint64_t a, std::uint64_t b) { return (a << 32) | b; };
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) open[key(t[k], t[(k + 1) % 3])] = {t[k], t[(k + 1) % 3]};
  for (const auto& t : mesh.triangles)
    for (int k = 0; k < 3; ++k)
      if (!open.contains(key(t[(k + 1) % 3], t[k]))) sides.push_back({t[k], t[(k + 1) % 3]});
  return sides;
}

}  // namespace

TriMesh polygon_mesh(Polygon outline, std::vector<Polygon> holes, double edge_length) {
  require_positive(edge_length, "an edge length");
  check_polygons(outline, holes);
  require_triangle_budget(2.0 * signed_area(outline) / (edge_length * edge_length), edge_length);
  const PlanarMesh sheet = mesh_polygon(outline, holes, edge_length);
  TriMesh mesh;
  for (const Vec2& p : sheet.points) mesh.vertices.push_back({p.x(), 0.0, p.y()});
  // Counter-clockwise in (x, z) is clockwise seen from +Y.
  for (const auto& [a, b, c] : sheet.triangles) mesh.triangles.push_back({a, c, b});
  return mesh;
}

TriMesh extruded_mesh(Polygon outline, std::vector<Polygon> holes, double height,
                      double edge_length) {
  require_positive(edge_length, "an edge length");
  require_positive(height, "the height of an extrusion");
  check_polygons(outline, holes);
  double area = signed_area(outline), perimeter = 0.0;
  for (const Polygon& hole : holes) area += signed_area(hole);
  holes.push_back(outline);
  for (const Polygon& loop : holes)
    for (std::size_t i = 0; i < loop.size(); ++i)
      perimeter += (loop[(i + 1) % loop.size()] - loop[i]).norm();
  holes.pop_back();
  require_triangle_budget(2.0 * (2.0 * area + perimeter * height) / (edge_length * edge_length),
                          edge_length);
  const PlanarMesh cap = mesh_polygon(outline, holes, edge_length);

  TriMesh mesh;
  const int layers = pieces(height, edge_length);
  const auto n = static_cast<std::uint32_t>(cap.points.size());
  for (const double y : {-0.5 * height, 0.5 * height})
    for (const Vec2& p : cap.points) mesh.vertices.push_back({p.x(), y, p.y()});
  // Counter-clockwise in (x, z) is clockwise seen from +Y: right for the bottom, turned for the
  // top.
  for (const auto& [a, b, c] : cap.triangles) mesh.triangles.push_back({a, b, c});
  for (const auto& [a, b, c] : cap.triangles) mesh.triangles.push_back({n + a, n + c, n + b});

  // Walls: a column of vertices above every rim point, its ends being those of the caps.
  const std::vector<std::array<std::uint32_t, 2>> sides = rim(cap);
  std::unordered_map<std::uint32_t, std::uint32_t> column;
  for (const auto& [a, b] : sides) {
    column[a] = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int layer = 1; layer < layers; ++layer) {
      const double y = height * (static_cast<double>(layer) / layers - 0.5);
      mesh.vertices.push_back({cap.points[a].x(), y, cap.points[a].y()});
    }
  }
  const auto vertex = [&](std::uint32_t a, int layer) {
    return layer == 0 ? a : layer == layers ? n + a : column[a] + layer - 1;
  };
  for (const auto& [a, b] : sides) {
    for (int layer = 0; layer < layers; ++layer) {
      const std::uint32_t a0 = vertex(a, layer), a1 = vertex(a, layer + 1);
      const std::uint32_t b0 = vertex(b, layer), b1 = vertex(b, layer + 1);
      mesh.triangles.push_back({b0, a0, a1});
      mesh.triangles.push_back({b0, a1, b1});
    }
  }
  return mesh;
}

}  // namespace peal::geometry

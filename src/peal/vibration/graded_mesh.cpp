#include <peal/vibration/graded_mesh.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace peal::vibration {

namespace {

using geometry::PlanarMesh;
using geometry::Vec2;

/// Size ratio of successive rings, optimal for r^alpha (Schwab 1998, 3.3).
constexpr double shrink = 0.15;

/// Points on edges, each created once.
class EdgePoints {
 public:
  explicit EdgePoints(PlanarMesh& mesh) : mesh_(mesh) {}

  /// The point at `part` of the way from a to b.
  std::uint32_t at(std::uint32_t a, std::uint32_t b, double part) {
    const auto [entry, is_new] =
        known_.emplace(std::minmax(a, b), static_cast<std::uint32_t>(mesh_.points.size()));
    if (is_new) {
      const Vec2 point = mesh_.points[a] + part * (mesh_.points[b] - mesh_.points[a]);
      mesh_.points.push_back(point);
    }
    return entry->second;
  }

 private:
  PlanarMesh& mesh_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

/// Divides each triangle into four, after which no triangle touches two corners of the outline.
void quarter(PlanarMesh& mesh) {
  EdgePoints middle(mesh);
  std::vector<std::array<std::uint32_t, 3>> finer;
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::uint32_t ab = middle.at(a, b, 0.5), bc = middle.at(b, c, 0.5);
    const std::uint32_t ca = middle.at(c, a, 0.5);
    finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(finer);
}

/// Cuts the tips off the triangles around a corner.
void add_ring(PlanarMesh& mesh, std::uint32_t corner) {
  EdgePoints cut(mesh);
  std::vector<std::array<std::uint32_t, 3>> finer;
  for (std::array<std::uint32_t, 3> t : mesh.triangles) {
    const auto place = std::ranges::find(t, corner);
    if (place == t.end()) {
      finer.push_back(t);
      continue;
    }
    std::rotate(t.begin(), place, t.end());
    const auto [c, a, b] = t;
    const std::uint32_t near_a = cut.at(c, a, shrink), near_b = cut.at(c, b, shrink);
    finer.insert(finer.end(), {{c, near_a, near_b}, {near_a, a, b}, {near_a, b, near_b}});
  }
  mesh.triangles = std::move(finer);
}

int rings(const geometry::Polygon& outline, std::size_t i, double error) {
  const std::size_t n = outline.size();
  const Vec2 next = outline[(i + 1) % n] - outline[i],
             before = outline[(i + n - 1) % n] - outline[i];
  const double cross = next.x() * before.y() - next.y() * before.x();
  double angle = std::atan2(cross, next.dot(before));
  if (angle <= 0.0) angle += 2.0 * std::numbers::pi;
  const double alpha = std::numbers::pi / angle;
  if (std::abs(alpha - std::round(alpha)) < 1e-6) return 0;
  return static_cast<int>(std::ceil(std::log(error) / (2.0 * alpha * std::log(shrink))));
}

}  // namespace

PlanarMesh graded_mesh(const geometry::Polygon& outline, double edge_length, double error) {
  PlanarMesh mesh = geometry::mesh_polygon(outline, {}, 2.0 * edge_length);
  quarter(mesh);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    for (int ring = rings(outline, i, error); ring > 0; --ring) {
      add_ring(mesh, static_cast<std::uint32_t>(i));
    }
  }
  return mesh;
}

}  // namespace peal::vibration

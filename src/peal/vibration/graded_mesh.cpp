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

/// Bisects the edges between marked corners, after which no triangle touches two of them.
void part_corners(PlanarMesh& mesh, const std::vector<bool>& is_marked) {
  EdgePoints middle(mesh);
  const auto marked = [&](std::uint32_t v) { return v < is_marked.size() && is_marked[v]; };
  std::vector<std::array<std::uint32_t, 3>> finer;
  for (std::array<std::uint32_t, 3> t : mesh.triangles) {
    const auto count = std::ranges::count_if(t, marked);
    if (count < 2) {
      finer.push_back(t);
      continue;
    }
    if (count == 2) {
      // From the corner that is not marked on.
      std::rotate(t.begin(), std::ranges::find_if_not(t, marked), t.end());
      const std::uint32_t between = middle.at(t[1], t[2], 0.5);
      finer.insert(finer.end(), {{t[0], t[1], between}, {t[0], between, t[2]}});
      continue;
    }
    const auto [i, j, k] = t;
    const std::uint32_t ij = middle.at(i, j, 0.5), jk = middle.at(j, k, 0.5);
    const std::uint32_t ki = middle.at(k, i, 0.5);
    finer.insert(finer.end(), {{i, ij, ki}, {ij, j, jk}, {ki, jk, k}, {ij, jk, ki}});
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

/// The rings that the corner i of a polygon needs in a region of a size [m].
int rings(const geometry::Polygon& outline, std::size_t i, double size, double error) {
  const std::size_t n = outline.size();
  const Vec2 next = outline[(i + 1) % n] - outline[i],
             before = outline[(i + n - 1) % n] - outline[i];
  const double cross = next.x() * before.y() - next.y() * before.x();
  double angle = std::atan2(cross, next.dot(before));
  if (angle <= 0.0) angle += 2.0 * std::numbers::pi;
  const double alpha = std::numbers::pi / angle;
  // What is no polynomial in r^alpha goes with the distance of alpha from a whole number, and its
  // energy is that of a neighbourhood as large as the sides: outlines of hundreds of corners, which
  // follow a curve, have hardly any singular part.
  const double part = std::abs(alpha - std::round(alpha));
  const double reach = std::min(next.norm(), before.norm()) / size;
  const double energy =
      std::min(1.0, 9.0 * part * part) * std::min(1.0, 4.0 * std::pow(reach, 2.0 * alpha));
  if (energy <= error) return 0;
  // At most three quarters of a ring are left out, which is up to seven times the error at an inner
  // right angle: callers allow for it.
  const double count = std::log(error / energy) / (2.0 * alpha * std::log(shrink));
  return static_cast<int>(std::floor(count + 0.25));
}

}  // namespace

PlanarMesh graded_mesh(const geometry::Polygon& outline,
                       const std::vector<geometry::Polygon>& holes, double edge_length,
                       double error) {
  PlanarMesh mesh = geometry::mesh_polygon(outline, holes, edge_length);
  const double size = std::sqrt(std::abs(geometry::signed_area(outline)));
  std::vector<int> needed;
  const auto look_at = [&](const geometry::Polygon& polygon) {
    for (std::size_t i = 0; i < polygon.size(); ++i)
      needed.push_back(rings(polygon, i, size, error));
  };
  look_at(outline);
  for (const geometry::Polygon& hole : holes) look_at(hole);
  std::vector<bool> is_singular;
  for (const int count : needed) is_singular.push_back(count > 0);
  part_corners(mesh, is_singular);
  for (std::size_t i = 0; i < needed.size(); ++i)
    for (int ring = needed[i]; ring > 0; --ring) add_ring(mesh, static_cast<std::uint32_t>(i));
  return mesh;
}

}  // namespace peal::vibration

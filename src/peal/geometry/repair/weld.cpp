#include <peal/geometry/repair/weld.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace peal::geometry {

namespace {

constexpr int weld_rounds = 50;

/// The distance of the corner opposite to the longest edge from it [m], and where that edge starts.
struct ThinSide {
  double height = 0.0;
  std::size_t start = 0;
};

class Welding {
 public:
  Welding(const TriMesh& mesh, double tolerance)
      : vertices_(mesh.vertices),
        triangles_(mesh.triangles),
        around_(mesh.vertices.size()),
        is_alive_(mesh.triangles.size(), true),
        tolerance_(tolerance) {
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) attach(t);
  }

  TriMesh run() {
    for (int round = 0; round < weld_rounds; ++round) {
      bool changes = false;
      for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
        if (is_alive_[t] && (collapse_needle(t) || flip_cap(t))) changes = true;
      }
      if (!changes) break;
    }
    return result();
  }

 private:
  using Corners = Triangle;

  void attach(std::uint32_t t) {
    for (const std::uint32_t v : triangles_[t]) around_[v].push_back(t);
  }
  void detach(std::uint32_t t) {
    for (const std::uint32_t v : triangles_[t]) std::erase(around_[v], t);
  }
  void replace(std::uint32_t t, const Corners& corners) {
    detach(t);
    triangles_[t] = corners;
    attach(t);
  }

  bool has(std::uint32_t t, std::uint32_t v) const {
    return std::ranges::find(triangles_[t], v) != triangles_[t].end();
  }
  std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> all;
    for (const std::uint32_t t : around_[v])
      for (const std::uint32_t w : triangles_[t])
        if (w != v) all.push_back(w);
    util::sort_unique(all);
    return all;
  }
  Vec3 twice_area(const Corners& c) const {
    return (vertices_[c[1]] - vertices_[c[0]]).cross(vertices_[c[2]] - vertices_[c[0]]);
  }
  double length(std::uint32_t a, std::uint32_t b) const {
    return (vertices_[a] - vertices_[b]).norm();
  }
  ThinSide thin_side(const Corners& c) const {
    ThinSide side;
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double size = length(c[k], c[(k + 1) % 3]);
      if (size <= longest) continue;
      longest = size;
      side.start = k;
    }
    if (longest > 0.0) side.height = twice_area(c).norm() / longest;
    return side;
  }

  bool collapse_needle(std::uint32_t t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
      if (!(length(a, b) < tolerance_)) continue;
      // The end whose removal changes the volume less goes first.
      const bool swaps = moved_volume(b, a) < moved_volume(a, b);
      if (collapse(swaps ? b : a, swaps ? a : b) || collapse(swaps ? a : b, swaps ? b : a))
        return true;
    }
    return false;
  }

  /// Six times the volume between the faces around a vertex before and after it moves to another.
  double moved_volume(std::uint32_t from, std::uint32_t to) const {
    Vec3 area = Vec3::Zero();
    for (const std::uint32_t t : around_[from]) area += twice_area(triangles_[t]);
    return std::abs(area.dot(vertices_[to] - vertices_[from]));
  }

  /// Moves a vertex to a neighbour and joins them, if the surface stays a manifold and no face with
  /// a meaningful normal turns over.
  bool collapse(std::uint32_t from, std::uint32_t to) {
    std::vector<std::uint32_t> common;
    std::ranges::set_intersection(neighbours(from), neighbours(to), std::back_inserter(common));
    if (common.size() != 2) return false;
    for (const std::uint32_t v : common)
      if (around_[v].size() <= 3) return false;
    std::vector<std::uint32_t> moved, lost;
    for (const std::uint32_t t : around_[from]) (has(t, to) ? lost : moved).push_back(t);
    if (lost.size() != 2) return false;
    for (const std::uint32_t t : moved) {
      if (thin_side(triangles_[t]).height < tolerance_) continue;
      const Vec3 after = twice_area(exchanged(t, from, to));
      if (!(twice_area(triangles_[t]).dot(after) > 0.0)) return false;
    }
    for (const std::uint32_t t : lost) {
      detach(t);
      is_alive_[t] = false;
    }
    for (const std::uint32_t t : moved) replace(t, exchanged(t, from, to));
    return true;
  }
  Corners exchanged(std::uint32_t t, std::uint32_t from, std::uint32_t to) const {
    Corners corners = triangles_[t];
    std::ranges::replace(corners, from, to);
    return corners;
  }

  bool flip_cap(std::uint32_t t) {
    const ThinSide side = thin_side(triangles_[t]);
    if (!(side.height < tolerance_)) return false;
    const std::uint32_t a = triangles_[t][side.start], b = triangles_[t][(side.start + 1) % 3],
                        c = triangles_[t][(side.start + 2) % 3];
    const auto other =
        std::ranges::find_if(around_[a], [&](std::uint32_t n) { return n != t && has(n, b); });
    if (other == around_[a].end()) return false;
    const std::uint32_t n = *other;
    std::uint32_t d = a;
    for (const std::uint32_t v : triangles_[n])
      if (v != a && v != b) d = v;
    if (d == c || around_[a].size() <= 3 || around_[b].size() <= 3) return false;
    if (std::ranges::any_of(around_[c], [&](std::uint32_t one) { return has(one, d); }))
      return false;
    const Corners first{a, d, c}, second{d, b, c};
    // Each flip makes the thinnest of the two triangles thicker, so that flips come to an end.
    const double before = std::min(side.height, thin_side(triangles_[n]).height);
    if (!(std::min(thin_side(first).height, thin_side(second).height) > before)) return false;
    const Vec3 normal = twice_area(triangles_[n]);
    if (thin_side(triangles_[n]).height >= tolerance_ &&
        !(normal.dot(twice_area(first)) > 0.0 && normal.dot(twice_area(second)) > 0.0))
      return false;
    replace(t, first);
    replace(n, second);
    return true;
  }

  TriMesh result() const {
    constexpr auto unused = std::numeric_limits<std::uint32_t>::max();
    TriMesh mesh;
    std::vector<std::uint32_t> number(vertices_.size(), unused);
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
      if (!is_alive_[t]) continue;
      Corners corners = triangles_[t];
      for (std::uint32_t& v : corners) {
        if (number[v] == unused) {
          number[v] = static_cast<std::uint32_t>(mesh.vertices.size());
          mesh.vertices.push_back(vertices_[v]);
        }
        v = number[v];
      }
      mesh.triangles.push_back(corners);
    }
    return mesh;
  }

  std::vector<Vec3> vertices_;
  std::vector<Corners> triangles_;
  std::vector<std::vector<std::uint32_t>> around_;  ///< triangles of each vertex
  std::vector<bool> is_alive_;                      ///< by triangle
  double tolerance_;
};

}  // namespace

TriMesh welded(const TriMesh& mesh, double tolerance) {
  return Welding(mesh, tolerance).run();
}

}  // namespace peal::geometry

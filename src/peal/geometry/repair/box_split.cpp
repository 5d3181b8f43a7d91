#include <peal/geometry/repair/box_split.h>
#include <peal/geometry/repair/mesh_repair.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace peal::geometry {

namespace {

constexpr double relative_tolerance = 1e-6;  ///< of the mesh's size

struct Plane {
  int axis;
  double at;  ///< [m]
};

/// Cuts a mesh at one plane after another.
class BoxCutter {
 public:
  BoxCutter(const TriMesh& mesh, const Box& box)
      : box_(box),
        tolerance_(relative_tolerance * bounds(mesh).diagonal().norm()),
        coincident_(first_coincident_vertex(mesh)) {
    split_.mesh = mesh;
    split_.source.resize(mesh.triangles.size());
    std::iota(split_.source.begin(), split_.source.end(), 0u);
  }

  BoxSplit cut() {
    for (int axis = 0; axis < 3; ++axis) {
      cut_at({axis, box_.min()[axis]});
      cut_at({axis, box_.max()[axis]});
    }
    for (const Triangle& triangle : split_.mesh.triangles) {
      split_.inside.push_back(std::ranges::all_of(
          triangle, [&](std::uint32_t v) { return holds(split_.mesh.vertices[v]); }));
    }
    return std::move(split_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  /// Which side of the plane a vertex is on: -1, 1, or 0 if it is on the plane.
  int side(std::uint32_t vertex, const Plane& plane) const {
    const double distance = split_.mesh.vertices[vertex][plane.axis] - plane.at;
    return std::abs(distance) <= tolerance_ ? 0 : distance < 0.0 ? -1 : 1;
  }

  bool holds(const Vec3& p) const {
    return ((p - box_.min()).array() >= -tolerance_).all() &&
           ((box_.max() - p).array() >= -tolerance_).all();
  }

  /// True if the triangle is beyond one of the sides, however long that side is.
  bool is_outside(const Triangle& triangle) const {
    Box extent;
    for (const std::uint32_t v : triangle) extent.extend(split_.mesh.vertices[v]);
    for (int axis = 0; axis < 3; ++axis) {
      const double low = extent.min()[axis], high = extent.max()[axis];
      const double first = box_.min()[axis], last = box_.max()[axis];
      if (high <= first + tolerance_ && low < first - tolerance_) return true;
      if (low >= last - tolerance_ && high > last + tolerance_) return true;
    }
    return false;
  }

  /// The edge from a to b, whichever of the triangles along it asks.
  std::uint64_t edge(std::uint32_t a, std::uint32_t b) const {
    const auto [low, high] = std::minmax(coincident_[a], coincident_[b]);
    return (static_cast<std::uint64_t>(low) << 32) | high;
  }

  void cut_at(const Plane& plane) {
    cuts_.clear();
    for (const Triangle& triangle : split_.mesh.triangles) {
      if (!is_outside(triangle)) cut_edges(triangle, plane);
    }
    if (!cuts_.empty()) divide_triangles();
  }

  void cut_edges(const Triangle& triangle, const Plane& plane) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
      if (side(a, plane) * side(b, plane) >= 0) continue;
      const std::uint64_t key = edge(a, b);
      const auto made = static_cast<std::uint32_t>(split_.mesh.vertices.size());
      if (!cuts_.try_emplace(key, made).second) continue;
      const Vec3 from = split_.mesh.vertices[key >> 32], to = split_.mesh.vertices[key & none];
      const double fraction = (plane.at - from[plane.axis]) / (to[plane.axis] - from[plane.axis]);
      Vec3 point = from + fraction * (to - from);
      point[plane.axis] = plane.at;
      split_.mesh.vertices.push_back(point);
      coincident_.push_back(made);
    }
  }

  std::uint32_t cut_of(std::uint32_t a, std::uint32_t b) const {
    const auto found = cuts_.find(edge(a, b));
    return found == cuts_.end() ? none : found->second;
  }

  void divide_triangles() {
    TriMesh& mesh = split_.mesh;
    const std::vector<Triangle> triangles = std::move(mesh.triangles);
    const std::vector<std::uint32_t> groups = std::move(mesh.triangle_group);
    const std::vector<std::uint32_t> sources = std::move(split_.source);
    mesh.triangles.clear();
    mesh.triangle_group.clear();
    split_.source.clear();
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      divide(triangles[t]);
      split_.source.resize(mesh.triangles.size(), sources[t]);
      if (!groups.empty()) mesh.triangle_group.resize(mesh.triangles.size(), groups[t]);
    }
  }

  /// A plane cuts at most two edges of a triangle.
  void divide(const Triangle& triangle) {
    std::vector<Triangle>& out = split_.mesh.triangles;
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = triangle[k], b = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3];
      const std::uint32_t ab = cut_of(a, b), ca = cut_of(c, a);
      if (ab == none || (ca == none && cut_of(b, c) != none)) continue;
      if (ca == none) {
        out.insert(out.end(), {{a, ab, c}, {ab, b, c}});
        return;
      }
      // A tip at a, and a quadrangle divided by its shorter diagonal.
      const auto& v = split_.mesh.vertices;
      out.push_back({a, ab, ca});
      if ((v[ab] - v[c]).squaredNorm() <= (v[b] - v[ca]).squaredNorm()) {
        out.insert(out.end(), {{ab, b, c}, {ab, c, ca}});
      } else {
        out.insert(out.end(), {{ab, b, ca}, {b, c, ca}});
      }
      return;
    }
    out.push_back(triangle);
  }

  Box box_;
  double tolerance_;                       ///< [m]
  std::vector<std::uint32_t> coincident_;  ///< first vertex at the same position
  BoxSplit split_;
  std::unordered_map<std::uint64_t, std::uint32_t> cuts_;  ///< vertices on cut edges
};

}  // namespace

BoxSplit split_by_box(const TriMesh& mesh, const Box& box) {
  return BoxCutter(mesh, box).cut();
}

}  // namespace peal::geometry

#include <peal/geometry/mesh/triangle_tree.h>
#include <peal/geometry/repair/mesh_repair.h>
#include <peal/geometry/repair/self_intersection.h>

#include <algorithm>
#include <cmath>

namespace peal::geometry {
namespace {

/// Rounding of the tests below, relative to the size of the two triangles.
constexpr double rounding = 1e-10;

struct PlaneSides {
  std::array<double, 3> distance;  ///< of each corner from the plane; rounded off to zero [m]
  bool above = false, below = false;

  bool crosses() const { return above && below; }
  int on_plane() const {
    return static_cast<int>(std::count(distance.begin(), distance.end(), 0.0));
  }
  /// The plane meets the triangle in more than a point.
  bool reaches() const { return crosses() || on_plane() >= 2; }
};

PlaneSides sides_of(const Corners& triangle, const Vec3& normal, const Vec3& on_plane,
                    double tolerance) {
  PlaneSides sides;
  for (int k = 0; k < 3; ++k) {
    const double d = normal.dot(triangle[k] - on_plane);
    sides.distance[k] = std::abs(d) <= tolerance ? 0.0 : d;
    sides.above = sides.above || sides.distance[k] > 0.0;
    sides.below = sides.below || sides.distance[k] < 0.0;
  }
  return sides;
}

/// Where a triangle's plane cut lies along the line of intersection.
std::pair<double, double> interval(const Corners& triangle, const PlaneSides& sides,
                                   const Vec3& line, const Vec3& origin) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto add = [&](double s) {
    low = std::min(low, s);
    high = std::max(high, s);
  };
  for (int k = 0; k < 3; ++k) {
    const int n = (k + 1) % 3;
    const double a = sides.distance[k], b = sides.distance[n];
    const double sa = line.dot(triangle[k] - origin), sb = line.dot(triangle[n] - origin);
    if (a == 0.0) add(sa);
    if (a * b < 0.0) add(sa + (sb - sa) * (a / (a - b)));
  }
  return {low, high};
}

/// Separating axes in the common plane: no overlap if the shadows on the normal of some side meet
/// in no more than rounding.
bool overlap_in_plane(const Corners& a, const Corners& b, const Vec3& normal, double tolerance) {
  for (const Corners* triangle : {&a, &b}) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 axis = normal.cross((*triangle)[(k + 1) % 3] - (*triangle)[k]).normalized();
      double low[2], high[2];
      const Corners* both[2] = {&a, &b};
      for (int i = 0; i < 2; ++i) {
        low[i] = high[i] = axis.dot((*both[i])[0] - a[0]);
        for (int c = 1; c < 3; ++c) {
          const double s = axis.dot((*both[i])[c] - a[0]);
          low[i] = std::min(low[i], s);
          high[i] = std::max(high[i], s);
        }
      }
      if (std::min(high[0], high[1]) - std::max(low[0], low[1]) <= tolerance) return false;
    }
  }
  return true;
}

bool share_a_vertex(const Triangle& a, const Triangle& b) {
  for (const std::uint32_t v : a)
    if (v == b[0] || v == b[1] || v == b[2]) return true;
  return false;
}

/// Compares a tree with itself.
class PairSearch {
 public:
  PairSearch(const TriMesh& mesh, std::size_t max_pairs)
      : mesh_(mesh), tree_(mesh, 4), first_(first_coincident_vertex(mesh)), max_pairs_(max_pairs) {
    // A clean mesh needs about 40 comparisons a triangle.
    budget_ = 1000 * mesh.triangles.size() + 1'000'000;
  }

  SelfIntersections run() {
    if (!tree_.nodes().empty()) within(0);
    std::sort(result_.pairs.begin(), result_.pairs.end());
    return std::move(result_);
  }

 private:
  void within(std::uint32_t i) {
    if (!result_.complete) return;
    const TriangleTree::Node& node = tree_.nodes()[i];
    if (node.is_leaf()) {
      for (std::uint32_t a = node.begin; a < node.end; ++a)
        for (std::uint32_t b = a + 1; b < node.end; ++b) compare(a, b);
      return;
    }
    within(i + 1);
    within(node.right);
    between(i + 1, node.right);
  }

  void between(std::uint32_t i, std::uint32_t j) {
    if (!result_.complete) return;
    if (budget_-- == 0) {
      result_.complete = false;
      return;
    }
    const TriangleTree::Node &a = tree_.nodes()[i], &b = tree_.nodes()[j];
    if (!a.box.intersects(b.box)) return;
    if (a.is_leaf() && b.is_leaf()) {
      for (std::uint32_t m = a.begin; m < a.end; ++m)
        for (std::uint32_t n = b.begin; n < b.end; ++n) compare(m, n);
      return;
    }
    if (b.is_leaf() || (!a.is_leaf() && a.end - a.begin >= b.end - b.begin)) {
      between(i + 1, j);
      between(a.right, j);
    } else {
      between(i, j + 1);
      between(i, b.right);
    }
  }

  void compare(std::uint32_t m, std::uint32_t n) {
    if (!result_.complete) return;
    const std::uint32_t s = tree_.order()[m], t = tree_.order()[n];
    const Triangle a = welded(s), b = welded(t);
    if (share_a_vertex(a, b) || !triangles_cross(corners(a), corners(b))) return;
    result_.pairs.push_back({std::min(s, t), std::max(s, t)});
    if (result_.pairs.size() >= max_pairs_) result_.complete = false;
  }

  Triangle welded(std::uint32_t t) const {
    const auto& [i, j, k] = mesh_.triangles[t];
    return {first_[i], first_[j], first_[k]};
  }
  Corners corners(const Triangle& t) const {
    return {mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]};
  }

  const TriMesh& mesh_;
  TriangleTree tree_;
  std::vector<std::uint32_t> first_;
  std::size_t max_pairs_;
  std::size_t budget_;
  SelfIntersections result_;
};

}  // namespace

bool triangles_cross(const Corners& a, const Corners& b) {
  Box box_a, box_b;
  for (const Vec3& corner : a) box_a.extend(corner);
  for (const Vec3& corner : b) box_b.extend(corner);
  if (!box_a.intersects(box_b)) return false;
  // Rounding also grows with the distance from the origin, where the corners were rounded.
  const double size = box_a.merged(box_b).sizes().norm();
  const double far = box_a.merged(box_b).center().norm();
  const double tolerance = rounding * size + 1e-15 * far;

  const Vec3 cross_a = (a[1] - a[0]).cross(a[2] - a[0]), cross_b = (b[1] - b[0]).cross(b[2] - b[0]);
  const double area_a = cross_a.norm(), area_b = cross_b.norm();
  if (area_a <= tolerance * size || area_b <= tolerance * size) return false;  // degenerate
  const Vec3 normal_a = cross_a / area_a, normal_b = cross_b / area_b;

  const PlaneSides sides_a = sides_of(a, normal_b, b[0], tolerance);
  if (sides_a.on_plane() == 3) return overlap_in_plane(a, b, normal_b, tolerance);
  if (!sides_a.reaches()) return false;
  const PlaneSides sides_b = sides_of(b, normal_a, a[0], tolerance);
  if (sides_b.on_plane() == 3) return overlap_in_plane(a, b, normal_a, tolerance);
  if (!sides_b.reaches() || !(sides_a.crosses() || sides_b.crosses())) return false;

  const Vec3 line = normal_a.cross(normal_b).normalized();
  const auto [low_a, high_a] = interval(a, sides_a, line, a[0]);
  const auto [low_b, high_b] = interval(b, sides_b, line, a[0]);
  return std::min(high_a, high_b) - std::max(low_a, low_b) > tolerance;
}

SelfIntersections self_intersections(const TriMesh& mesh, std::size_t max_pairs) {
  return PairSearch(mesh, max_pairs).run();
}

}  // namespace peal::geometry

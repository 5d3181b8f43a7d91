#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/self_intersection.h>
#include <peal/geometry/repair/simplify.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace peal::geometry {

namespace {

/// A collapse may not turn a triangle by more than this, nor make one of a worse shape (1 is
/// equilateral, 0 has no area), unless it was as bad before.
const double largest_turn = std::cos(70.0 * std::numbers::pi / 180.0);
constexpr double worst_shape = 0.1;
/// Middles of edges and triangles may be farther from the given surface than quadrics, which
/// average, say.
constexpr double checked_distance = 1.5;
/// Weight of the distance from the middle of the edge, relative to the quadrics: decides where they
/// do not.
constexpr double regularisation = 1e-3;
/// Factor of the tolerance at triangles that cross, and how often it is applied.
constexpr double crossing_factor = 0.3;
constexpr int crossing_rounds = 4;
constexpr std::size_t most_crossings = 2000;

/// Sum of squared distances from planes, weighted by area: x.a x + 2 b.x + c, about an origin near
/// the surface.
struct PlaneQuadric {
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0.0, weight = 0.0;

  void add_plane(const Vec3& normal, double offset, double area) {
    a += area * normal * normal.transpose();
    b += area * offset * normal;
    c += area * offset * offset;
    weight += area;
  }
  PlaneQuadric operator+(const PlaneQuadric& other) const {
    return {a + other.a, b + other.b, c + other.c, weight + other.weight};
  }
  double at(const Vec3& x) const { return std::max(0.0, x.dot(a * x) + 2.0 * b.dot(x) + c); }
};

double quality(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
  return sides > 0.0 ? 2.0 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / sides : 0.0;
}

/// A surface whose edges collapse. Triangles of vertices are lists in one array.
class EdgeCollapse {
 public:
  EdgeCollapse(const SurfaceQuery& given, const std::vector<double>& tolerance)
      : given_(given), mesh_(given.mesh()), tolerance_(tolerance) {
    mesh_.groups.clear();
    mesh_.triangle_group.clear();
    origin_ = bounds(mesh_).center();
    for (Vec3& v : mesh_.vertices) v -= origin_;
    fill_lists();
    fill_quadrics();
    stamps_.assign(mesh_.vertices.size(), 0);
    const MeshTopology topology = mesh_topology(mesh_);
    std::vector<Candidate> first;
    first.reserve(topology.edges.size());
    for (const auto& [a, b] : topology.edges) {
      if (const auto candidate = candidate_of(a, b)) first.push_back(*candidate);
    }
    queue_ = std::priority_queue<Candidate>(std::less<Candidate>(), std::move(first));
  }

  TriMesh run();

 private:
  struct Candidate {
    double cost;
    std::uint32_t a, b, stamp_a, stamp_b;
    Vec3 point;
    bool operator<(const Candidate& other) const {
      return std::tie(other.cost, other.a, other.b) < std::tie(cost, a, b);
    }
  };

  std::span<const std::uint32_t> around(std::uint32_t v) const {
    return {lists_.data() + begin_[v], count_[v]};
  }
  bool has(std::uint32_t triangle, std::uint32_t vertex) const {
    const Triangle& t = mesh_.triangles[triangle];
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
  }

  void fill_lists();
  void fill_quadrics();
  std::optional<Candidate> candidate_of(std::uint32_t a, std::uint32_t b) const;
  Vec3 best_point(std::uint32_t a, std::uint32_t b, const PlaneQuadric& quadric) const;
  bool keeps_manifold(std::uint32_t a, std::uint32_t b);
  bool keeps_shape(const Candidate& edge) const;
  bool is_near_given(const Candidate& edge) const;
  void collapse(const Candidate& edge);

  const SurfaceQuery& given_;
  TriMesh mesh_;  ///< about origin_
  Vec3 origin_;
  std::vector<double> tolerance_;
  std::vector<PlaneQuadric> quadrics_;
  std::vector<std::uint32_t> lists_, begin_, count_, stamps_;
  std::vector<std::uint32_t> mark_;  ///< by vertex, of the last test that met it
  std::uint32_t last_mark_ = 0;
  std::priority_queue<Candidate> queue_;
};

void EdgeCollapse::fill_lists() {
  const std::size_t vertices = mesh_.vertices.size();
  count_.assign(vertices, 0);
  begin_.assign(vertices, 0);
  mark_.assign(vertices, 0);
  for (const Triangle& t : mesh_.triangles)
    for (const std::uint32_t v : t) ++count_[v];
  std::uint32_t sum = 0;
  for (std::size_t v = 0; v < vertices; ++v) {
    begin_[v] = sum;
    sum += count_[v];
  }
  lists_.resize(sum);
  std::vector<std::uint32_t> next = begin_;
  for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
    for (const std::uint32_t v : mesh_.triangles[t]) lists_[next[v]++] = t;
}

void EdgeCollapse::fill_quadrics() {
  quadrics_.assign(mesh_.vertices.size(), {});
  for (std::size_t t = 0; t < mesh_.triangles.size(); ++t) {
    const Vec3 area = area_vector(mesh_, t);
    const double size = area.norm();
    if (!(size > 0.0)) continue;
    const Vec3 normal = area / size;
    const double offset = -normal.dot(mesh_.vertices[mesh_.triangles[t][0]]);
    for (const std::uint32_t v : mesh_.triangles[t])
      quadrics_[v].add_plane(normal, offset, size / 3.0);
  }
}

/// Least quadric error among the points that keep the volume: sum over the triangles of both ends
/// of n . (x - v) = 0.
Vec3 EdgeCollapse::best_point(std::uint32_t a, std::uint32_t b, const PlaneQuadric& quadric) const {
  const Vec3 middle = 0.5 * (mesh_.vertices[a] + mesh_.vertices[b]);
  Vec3 gradient = Vec3::Zero();
  double excess = 0.0;  // of the constraint at the middle
  const auto add = [&](std::uint32_t t) {
    const Vec3 area = area_vector(mesh_, t);
    gradient += area;
    excess += area.dot(middle - mesh_.vertices[mesh_.triangles[t][0]]);
  };
  for (const std::uint32_t t : around(a)) add(t);
  for (const std::uint32_t t : around(b))
    if (!has(t, a)) add(t);
  // x = middle + d: (a + r) d + lambda g = -(a middle + b), g . d = -excess.
  const Mat3 matrix = quadric.a + regularisation * quadric.weight * Mat3::Identity();
  const Vec3 force = -(quadric.a * middle + quadric.b);
  const Eigen::LDLT<Mat3> factor(matrix);
  const Vec3 free = factor.solve(force);
  const Vec3 response = factor.solve(gradient);
  const double stiffness = gradient.dot(response);
  const double area = gradient.norm();
  // In a wedge that closes up the volume does not determine a point.
  if (!(area > 0.0) || !(stiffness > 0.0)) return middle + free;
  return middle + free - response * ((gradient.dot(free) + excess) / stiffness);
}

std::optional<EdgeCollapse::Candidate> EdgeCollapse::candidate_of(std::uint32_t a,
                                                                  std::uint32_t b) const {
  const PlaneQuadric quadric = quadrics_[a] + quadrics_[b];
  const Vec3 point = best_point(a, b, quadric);
  const double length2 = (mesh_.vertices[a] - mesh_.vertices[b]).squaredNorm();
  const double reach2 = (point - 0.5 * (mesh_.vertices[a] + mesh_.vertices[b])).squaredNorm();
  if (!(reach2 <= 4.0 * length2)) return std::nullopt;
  const double tolerance = std::min(tolerance_[a], tolerance_[b]);
  const double error = quadric.at(point);
  if (error > quadric.weight * tolerance * tolerance) return std::nullopt;
  return Candidate{error + 1e-4 * length2 * quadric.weight, a, b, stamps_[a], stamps_[b], point};
}

/// Link condition: the ends have exactly the two vertices opposite to the edge in common.
bool EdgeCollapse::keeps_manifold(std::uint32_t a, std::uint32_t b) {
  std::array<std::uint32_t, 2> opposite{};
  int sides = 0;
  ++last_mark_;
  for (const std::uint32_t t : around(a)) {
    const bool beside = has(t, b);
    for (const std::uint32_t v : mesh_.triangles[t]) {
      if (v == a || v == b) continue;
      mark_[v] = last_mark_;
      if (!beside) continue;
      if (sides == 2) return false;
      opposite[sides++] = v;
    }
  }
  if (sides != 2 || opposite[0] == opposite[1]) return false;
  for (const std::uint32_t t : around(b))
    for (const std::uint32_t v : mesh_.triangles[t])
      if (v != a && v != b && mark_[v] == last_mark_ && v != opposite[0] && v != opposite[1])
        return false;
  // A vertex of three triangles would leave two on each other.
  return count_[opposite[0]] > 3 && count_[opposite[1]] > 3;
}

bool EdgeCollapse::keeps_shape(const Candidate& edge) const {
  for (const auto& [from, other] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
    for (const std::uint32_t t : around(from)) {
      if (has(t, other)) continue;
      std::array<Vec3, 3> now, then;
      for (int k = 0; k < 3; ++k) {
        now[k] = mesh_.vertices[mesh_.triangles[t][k]];
        then[k] = mesh_.triangles[t][k] == from ? edge.point : now[k];
      }
      const Vec3 before = (now[1] - now[0]).cross(now[2] - now[0]),
                 after = (then[1] - then[0]).cross(then[2] - then[0]);
      const double sizes = before.norm() * after.norm();
      const double shape_before = quality(now[0], now[1], now[2]);
      // The normal of a sliver means nothing.
      if (shape_before > 0.02 && before.dot(after) < largest_turn * sizes) return false;
      if (quality(then[0], then[1], then[2]) < std::min(worst_shape, shape_before)) return false;
    }
  }
  return true;
}

bool EdgeCollapse::is_near_given(const Candidate& edge) const {
  const double reach = checked_distance * std::min(tolerance_[edge.a], tolerance_[edge.b]);
  const auto is_near = [&](const Vec3& p) {
    return given_.closest_point_within(p + origin_, reach).has_value();
  };
  if (!is_near(edge.point)) return false;
  for (const auto& [from, other] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
    for (const std::uint32_t t : around(from)) {
      if (has(t, other)) continue;
      const Triangle& corners = mesh_.triangles[t];
      const int k = static_cast<int>(std::ranges::find(corners, from) - corners.begin());
      const Vec3 &next = mesh_.vertices[corners[(k + 1) % 3]],
                 &last = mesh_.vertices[corners[(k + 2) % 3]];
      // Each spoke is the next one's of one triangle around.
      if (!is_near(0.5 * (edge.point + next))) return false;
      if (!is_near((edge.point + next + last) / 3.0)) return false;
    }
  }
  return true;
}

void EdgeCollapse::collapse(const Candidate& edge) {
  const std::uint32_t a = edge.a, b = edge.b;
  mesh_.vertices[a] = edge.point;
  quadrics_[a] = quadrics_[a] + quadrics_[b];
  tolerance_[a] = std::min(tolerance_[a], tolerance_[b]);
  const auto first = static_cast<std::uint32_t>(lists_.size());
  const auto add = [&](std::uint32_t v) {
    for (std::uint32_t i = 0; i < count_[v]; ++i) {
      const std::uint32_t t = lists_[begin_[v] + i];
      if (has(t, a) && has(t, b)) continue;
      lists_.push_back(t);
    }
  };
  add(a);
  add(b);
  // The two triangles of the edge leave the lists of the vertices opposite to it.
  for (std::uint32_t i = 0; i < count_[a]; ++i) {
    const std::uint32_t t = lists_[begin_[a] + i];
    if (!has(t, b)) continue;
    for (const std::uint32_t v : mesh_.triangles[t]) {
      if (v == a || v == b) continue;
      const auto list = lists_.begin() + begin_[v];
      std::iter_swap(std::find(list, list + count_[v], t), list + (count_[v] - 1));
      --count_[v];
    }
  }
  for (std::uint32_t i = 0; i < count_[a]; ++i) {
    const std::uint32_t t = lists_[begin_[a] + i];
    if (has(t, b)) mesh_.triangles[t] = {a, a, a};
  }
  begin_[a] = first;
  count_[a] = static_cast<std::uint32_t>(lists_.size()) - first;
  count_[b] = 0;
  for (const std::uint32_t t : around(a))
    for (std::uint32_t& v : mesh_.triangles[t])
      if (v == b) v = a;
  ++stamps_[a];
  ++stamps_[b];
}

TriMesh EdgeCollapse::run() {
  while (!queue_.empty()) {
    const Candidate proposed = queue_.top();
    queue_.pop();
    if (proposed.stamp_a != stamps_[proposed.a] || proposed.stamp_b != stamps_[proposed.b])
      continue;
    // Neighbours may have moved since: the volume is kept with the triangles as they are now.
    const auto fresh = candidate_of(proposed.a, proposed.b);
    if (!fresh) continue;
    const Candidate& next = *fresh;
    if (!keeps_manifold(next.a, next.b) || !keeps_shape(next) || !is_near_given(next)) continue;
    collapse(next);
    ++last_mark_;
    for (const std::uint32_t t : around(next.a)) {
      for (const std::uint32_t v : mesh_.triangles[t]) {
        if (v == next.a || mark_[v] == last_mark_) continue;
        mark_[v] = last_mark_;
        if (const auto candidate = candidate_of(next.a, v)) queue_.push(*candidate);
      }
    }
  }
  TriMesh result;
  std::vector<std::uint32_t> number(mesh_.vertices.size(), ~0u);
  for (const Triangle& t : mesh_.triangles) {
    if (t[0] == t[1]) continue;
    Triangle corners{};
    for (int k = 0; k < 3; ++k) {
      if (number[t[k]] == ~0u) {
        number[t[k]] = static_cast<std::uint32_t>(result.vertices.size());
        result.vertices.push_back(mesh_.vertices[t[k]] + origin_);
      }
      corners[k] = number[t[k]];
    }
    result.triangles.push_back(corners);
  }
  return result;
}

}  // namespace

TriMesh simplified(const SurfaceQuery& given, std::vector<double> tolerance) {
  TriMesh result;
  for (int round = 0; round < crossing_rounds; ++round) {
    result = EdgeCollapse(given, tolerance).run();
    const SelfIntersections crossing = self_intersections(result, most_crossings);
    if (crossing.pairs.empty()) break;
    for (const auto& pair : crossing.pairs) {
      for (const std::uint32_t t : pair) {
        Box box;
        for (const std::uint32_t v : result.triangles[t]) box.extend(result.vertices[v]);
        const Vec3 margin = Vec3::Constant(0.25 * box.sizes().norm());
        box = Box(box.min() - margin, box.max() + margin);
        for (const SurfacePoint& near : given.all_within(box.center(), 0.5 * box.sizes().norm()))
          for (const std::uint32_t v : given.mesh().triangles[near.triangle])
            tolerance[v] = -std::abs(tolerance[v]);  // marked
      }
    }
    for (double& value : tolerance)
      if (value < 0.0) value *= -crossing_factor;
  }
  return result;
}

namespace {

/// For each vertex the mean of a value over its neighbours: each is met in two triangles.
template <class Value>
std::vector<Value> neighbour_means(const TriMesh& mesh, const std::vector<Value>& values,
                                   const Value& zero) {
  std::vector<Value> sum(values.size(), zero);
  std::vector<double> count(values.size(), 0.0);
  for (const Triangle& corners : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      sum[corners[k]] += values[corners[(k + 1) % 3]];
      count[corners[k]] += 1.0;
    }
  }
  for (std::size_t v = 0; v < sum.size(); ++v) sum[v] /= std::max(1.0, count[v]);
  return sum;
}

}  // namespace

double surface_noise(const TriMesh& mesh) {
  if (mesh.vertices.empty()) return 0.0;
  std::vector<Vec3> normal(mesh.vertices.size(), Vec3::Zero());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = area_vector(mesh, t);
    for (const std::uint32_t v : mesh.triangles[t]) normal[v] += area;
  }
  const std::vector<Vec3> mean = neighbour_means<Vec3>(mesh, mesh.vertices, Vec3::Zero());
  std::vector<double> height(mesh.vertices.size(), 0.0);
  for (std::size_t v = 0; v < height.size(); ++v)
    height[v] = normal[v].normalized().dot(mesh.vertices[v] - mean[v]);
  // What curvature adds to the heights is that of the neighbours, too.
  const std::vector<double> curved = neighbour_means<double>(mesh, height, 0.0);
  std::vector<double> off;
  for (std::size_t v = 0; v < height.size(); ++v) off.push_back(std::abs(height[v] - curved[v]));
  const auto middle = off.begin() + static_cast<std::ptrdiff_t>(off.size() / 2);
  std::nth_element(off.begin(), middle, off.end());
  // Of independent noise with six neighbours each, the differences of differences have 1.36 of the
  // deviation.
  constexpr double median_of_normal = 0.6745, differences = 1.36;
  return *middle / (median_of_normal * differences);
}

}  // namespace peal::geometry

#include <peal/base/coarse_surface.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <utility>

namespace peal::base {

using geometry::TriMesh;
using geometry::Vec3;

namespace {

/// The planes of the triangles around a coarse point, weighted by their area. The point that is
/// nearest to them all keeps edges, corners and the volume of round surfaces, where the mean of its
/// vertices lies inside (Lindstrom 2000).
struct Planes {
  geometry::Mat3 matrix = geometry::Mat3::Zero();  ///< sum of area n n^T [m^2]
  Vec3 moved = Vec3::Zero();                       ///< sum of area n (n . x) [m^3]

  Vec3 nearest(const Vec3& mean) const {
    // Along what the planes leave open the point stays at the mean.
    constexpr double open = 2e-3;
    geometry::Mat3 raised = matrix;
    raised.diagonal().array() += open * matrix.trace();
    return mean + raised.ldlt().solve(moved - matrix * mean);
  }
};

/// Moves each point to where the planes around it meet, if that is not farther than `reach` [m].
void fit_points(const TriMesh& fine, double reach, CoarseSurface& coarse) {
  std::vector<Planes> planes(coarse.points.size());
  for (std::uint32_t t = 0; t < fine.triangles.size(); ++t) {
    const Vec3 area = geometry::area_vector(fine, t);
    const double size = area.norm();
    if (!(size > 0.0)) continue;
    const Vec3 normal = area / size, &corner = fine.vertices[fine.triangles[t][0]];
    std::array<std::uint32_t, 3> of{};
    for (int k = 0; k < 3; ++k) of[k] = coarse.point_of[fine.triangles[t][k]];
    for (int k = 0; k < 3; ++k) {
      if (std::find(of.begin(), of.begin() + k, of[k]) != of.begin() + k) continue;
      planes[of[k]].matrix += size * normal * normal.transpose();
      planes[of[k]].moved += size * normal * normal.dot(corner);
    }
  }
  for (std::size_t p = 0; p < planes.size(); ++p) {
    if (!(planes[p].matrix.trace() > 0.0)) continue;
    const Vec3 at = planes[p].nearest(coarse.points[p]);
    if ((at - coarse.points[p]).norm() < reach) coarse.points[p] = at;
  }
}

/// The vertices of a surface and their edges, which count as longer where the surface bends:
/// regions then end at its edges.
class SurfaceGraph {
 public:
  struct Edge {
    std::uint32_t to;
    double length;  ///< [m]
  };

  SurfaceGraph(const TriMesh& fine, const std::vector<Vec3>& normals)
      : edges_(fine.vertices.size()) {
    constexpr double bend = 3.0;  // by how much an edge counts as longer where normals are square
    for (const geometry::Triangle& t : fine.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        const double turn = 1.0 - normals[a].normalized().dot(normals[b].normalized());
        const double length = (fine.vertices[a] - fine.vertices[b]).norm() * (1.0 + bend * turn);
        edges_[a].push_back({b, length});
        edges_[b].push_back({a, length});
      }
    }
  }
  std::size_t size() const { return edges_.size(); }
  const std::vector<Edge>& at(std::uint32_t vertex) const { return edges_[vertex]; }

 private:
  std::vector<std::vector<Edge>> edges_;
};

/// Regions of a surface that grow from seeds: each vertex belongs to the seed that is nearest along
/// the surface.
class Regions {
 public:
  explicit Regions(const SurfaceGraph& graph)
      : graph_(graph),
        distances_(graph.size(), std::numeric_limits<double>::infinity()),
        owners_(graph.size(), 0) {}

  /// Adds a region around a vertex (Dijkstra's algorithm, within what is nearer to it).
  void add(std::uint32_t seed) {
    using Front = std::pair<double, std::uint32_t>;
    std::priority_queue<Front, std::vector<Front>, std::greater<>> front;
    take(seed, 0.0);
    front.push({0.0, seed});
    while (!front.empty()) {
      const Front next = front.top();
      front.pop();
      if (next.first > distances_[next.second]) continue;
      for (const SurfaceGraph::Edge& edge : graph_.at(next.second)) {
        const double distance = next.first + edge.length;
        if (!(distance < distances_[edge.to])) continue;
        take(edge.to, distance);
        front.push({distance, edge.to});
      }
    }
    ++count_;
  }

  /// The vertex that is farthest from all seeds; parts that no region has reached come first.
  std::uint32_t farthest() const {
    return static_cast<std::uint32_t>(std::ranges::max_element(distances_) - distances_.begin());
  }
  double distance(std::uint32_t vertex) const { return distances_[vertex]; }  ///< [m]
  const std::vector<std::uint32_t>& owners() const { return owners_; }
  std::uint32_t count() const { return count_; }

 private:
  void take(std::uint32_t vertex, double distance) {
    distances_[vertex] = distance;
    owners_[vertex] = count_;
  }

  const SurfaceGraph& graph_;
  std::vector<double> distances_;
  std::vector<std::uint32_t> owners_;
  std::uint32_t count_ = 0;
};

/// Leaves out points without triangles; the nearest other point stands for what they stood for.
void drop_unused_points(CoarseSurface& coarse) {
  std::vector<bool> is_used(coarse.points.size(), false);
  for (const auto& corners : coarse.triangles)
    for (const std::uint32_t p : corners) is_used[p] = true;
  if (coarse.triangles.empty() || std::ranges::find(is_used, false) == is_used.end()) return;
  std::vector<std::uint32_t> instead(coarse.points.size()), number(coarse.points.size(), 0);
  std::vector<Vec3> points;
  for (std::uint32_t p = 0; p < instead.size(); ++p) {
    instead[p] = p;
    if (is_used[p]) {
      number[p] = static_cast<std::uint32_t>(points.size());
      points.push_back(coarse.points[p]);
      continue;
    }
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t other = 0; other < instead.size(); ++other) {
      const double distance = (coarse.points[other] - coarse.points[p]).squaredNorm();
      if (is_used[other] && distance < nearest) nearest = distance, instead[p] = other;
    }
  }
  for (auto& corners : coarse.triangles)
    for (std::uint32_t& p : corners) p = number[p];
  for (std::uint32_t& p : coarse.point_of) p = number[instead[p]];
  coarse.points = std::move(points);
}

/// Leaves out pairs of triangles with the same corners: both faces of a wall that has no thickness
/// there, as at the tip of a plate whose corner is one region.
void remove_folds(CoarseSurface& coarse) {
  const auto sorted = [](std::array<std::uint32_t, 3> corners) {
    std::ranges::sort(corners);
    return corners;
  };
  std::map<std::array<std::uint32_t, 3>, int> count;
  for (const auto& corners : coarse.triangles) ++count[sorted(corners)];
  const auto is_fold = [&](const auto& corners) { return count[sorted(corners)] > 1; };
  if (!std::ranges::all_of(coarse.triangles, is_fold)) std::erase_if(coarse.triangles, is_fold);
  drop_unused_points(coarse);
}

}  // namespace

CoarseSurface coarse_surface(const TriMesh& fine, std::size_t most_points, CoarsePoints points) {
  CoarseSurface coarse;
  if (fine.vertices.empty() || most_points == 0) return coarse;
  std::vector<Vec3> normals(fine.vertices.size(), Vec3::Zero());
  for (std::uint32_t t = 0; t < fine.triangles.size(); ++t)
    for (const std::uint32_t v : fine.triangles[t]) normals[v] += geometry::area_vector(fine, t);
  const SurfaceGraph graph(fine, normals);
  Regions regions(graph);
  regions.add(0);
  while (regions.count() < most_points) {
    const std::uint32_t seed = regions.farthest();
    if (regions.distance(seed) == 0.0) break;
    regions.add(seed);
  }

  coarse.point_of = regions.owners();
  coarse.points.assign(regions.count(), Vec3::Zero());
  std::vector<double> weights(regions.count(), 0.0);
  for (std::size_t v = 0; v < fine.vertices.size(); ++v) {
    const double weight = std::max(normals[v].norm(), 1e-30);
    coarse.points[coarse.point_of[v]] += weight * fine.vertices[v];
    weights[coarse.point_of[v]] += weight;
  }
  for (std::size_t p = 0; p < weights.size(); ++p) coarse.points[p] /= weights[p];
  if (points == CoarsePoints::on_planes) {
    const double size = std::sqrt(geometry::surface_area(fine) / double(most_points));
    fit_points(fine, 0.3 * size, coarse);
  }
  for (const geometry::Triangle& t : fine.triangles) {
    const std::array<std::uint32_t, 3> corners{coarse.point_of[t[0]], coarse.point_of[t[1]],
                                               coarse.point_of[t[2]]};
    if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
      coarse.triangles.push_back(corners);
  }
  remove_folds(coarse);
  return coarse;
}

TriMesh finer(TriMesh mesh, std::size_t most_points) {
  const double cell = std::sqrt(geometry::surface_area(mesh) / double(most_points));
  for (std::size_t most = 8 * most_points; mesh.triangles.size() < most;) {
    double longest = 0.0;
    for (const auto& t : mesh.triangles)
      for (int k = 0; k < 3; ++k)
        longest = std::max(longest, (mesh.vertices[t[k]] - mesh.vertices[t[(k + 1) % 3]]).norm());
    if (longest <= cell) break;
    TriMesh cut;
    cut.vertices = mesh.vertices;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const auto [place, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(cut.vertices.size()));
      if (is_new) cut.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
      return place->second;
    };
    for (const auto& [a, b, c] : mesh.triangles) {
      const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      cut.triangles.insert(cut.triangles.end(),
                           {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh = std::move(cut);
  }
  return mesh;
}

}  // namespace peal::base

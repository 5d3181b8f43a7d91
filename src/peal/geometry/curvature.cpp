#include <peal/geometry/curvature.h>
#include <peal/geometry/mesh_topology.h>

#include <cmath>
#include <numbers>

namespace peal::geometry {
namespace {

/// Sums over the triangles around a vertex.
struct VertexSums {
  Vec3 curvature = Vec3::Zero();  ///< sum (cot alpha + cot beta) (x_i - x_j) [m]
  Vec3 normal = Vec3::Zero();     ///< area-weighted [m^2]
  double angle = 0.0;             ///< [rad]
  double area = 0.0;              ///< mixed Voronoi area [m^2]
};

void add_triangle(const TriMesh& mesh, const Triangle& t, std::vector<VertexSums>& sums) {
  std::array<Vec3, 3> edge;  // edge k faces vertex k
  for (int k = 0; k < 3; ++k)
    edge[k] = mesh.vertices[t[(k + 2) % 3]] - mesh.vertices[t[(k + 1) % 3]];
  const Vec3 twice_area_vector = edge[0].cross(edge[1]);
  const double twice_area = twice_area_vector.norm();
  const double longest = std::max({edge[0].norm(), edge[1].norm(), edge[2].norm()});
  if (!(twice_area > 1e-12 * longest * longest)) return;

  std::array<double, 3> cosine_part, cotangent;
  bool obtuse = false;
  for (int k = 0; k < 3; ++k) {
    cosine_part[k] = -edge[(k + 1) % 3].dot(edge[(k + 2) % 3]);
    cotangent[k] = cosine_part[k] / twice_area;
    obtuse = obtuse || cosine_part[k] < 0.0;
  }
  for (int k = 0; k < 3; ++k) {
    VertexSums& vertex = sums[t[k]];
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    // x_k - x_next = -edge[last], weighted by the angle facing that edge; likewise the other.
    vertex.curvature += cotangent[next] * edge[next] - cotangent[last] * edge[last];
    vertex.normal += twice_area_vector;
    vertex.angle += std::atan2(twice_area, cosine_part[k]);
    if (obtuse) {
      vertex.area += twice_area * (cosine_part[k] < 0.0 ? 0.25 : 0.125);
    } else {
      vertex.area += (cotangent[next] * edge[next].squaredNorm() +
                      cotangent[last] * edge[last].squaredNorm()) /
                     8.0;
    }
  }
}

std::vector<bool> rim_vertices(const MeshTopology& topology, std::size_t vertices) {
  std::vector<bool> on_rim(vertices, false);
  for (std::uint32_t edge = 0; edge < topology.edges.size(); ++edge) {
    if (topology.is_manifold(edge)) continue;
    for (const std::uint32_t v : topology.edges[edge]) on_rim[v] = true;
  }
  return on_rim;
}

/// Gives each rim vertex the mean over its neighbours that are not on a rim.
void fill_rim(const MeshTopology& topology, const std::vector<bool>& on_rim,
              std::vector<double>& values) {
  std::vector<double> sum(values.size(), 0.0);
  std::vector<int> count(values.size(), 0);
  for (const auto& [a, b] : topology.edges) {
    if (on_rim[a] == on_rim[b]) continue;
    const std::uint32_t rim = on_rim[a] ? a : b, inner = on_rim[a] ? b : a;
    sum[rim] += values[inner];
    ++count[rim];
  }
  for (std::size_t v = 0; v < values.size(); ++v)
    if (on_rim[v]) values[v] = count[v] > 0 ? sum[v] / count[v] : 0.0;
}

}  // namespace

Curvature discrete_curvature(const TriMesh& mesh) {
  std::vector<VertexSums> sums(mesh.vertices.size());
  for (const Triangle& triangle : mesh.triangles) add_triangle(mesh, triangle, sums);

  Curvature result;
  result.mean.assign(sums.size(), 0.0);
  result.gaussian.assign(sums.size(), 0.0);
  for (std::size_t v = 0; v < sums.size(); ++v) {
    if (!(sums[v].area > 0.0)) continue;
    const Vec3 twice_mean = sums[v].curvature / (2.0 * sums[v].area);
    result.mean[v] = std::copysign(0.5 * twice_mean.norm(), twice_mean.dot(sums[v].normal));
    result.gaussian[v] = (2.0 * std::numbers::pi - sums[v].angle) / sums[v].area;
  }
  const MeshTopology topology = mesh_topology(mesh);
  const std::vector<bool> on_rim = rim_vertices(topology, sums.size());
  fill_rim(topology, on_rim, result.mean);
  fill_rim(topology, on_rim, result.gaussian);
  return result;
}

}  // namespace peal::geometry

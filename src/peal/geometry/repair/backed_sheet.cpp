#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/backed_sheet.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace peal::geometry {

namespace {

constexpr double steepest = 0.17;  ///< cosine of 80 degrees
constexpr double upright = 0.3;    ///< sine of 17 degrees
constexpr double part_of_side = 0.1;

/// The smaller side of a box around the sheet, seen along its normal [m].
double smaller_side(const TriMesh& mesh, const Vec3& normal) {
  const Vec3 across = normal.unitOrthogonal();
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& way : {across, Vec3(normal.cross(across))}) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Vec3& v : mesh.vertices) {
      low = std::min(low, way.dot(v));
      high = std::max(high, way.dot(v));
    }
    least = std::min(least, high - low);
  }
  return least;
}

}  // namespace

std::optional<TriMesh> backed_sheet(const TriMesh& mesh, const Vec3& down) {
  const MeshTopology topology = mesh_topology(mesh);
  bool is_open = false;
  for (std::uint32_t e = 0; e < topology.edges.size(); ++e) {
    is_open = is_open || topology.is_boundary(e);
    if (topology.is_boundary(e)) continue;
    if (!topology.is_manifold(e) || !consistently_oriented(mesh, topology, e)) return std::nullopt;
  }
  if (!is_open) return std::nullopt;
  Vec3 sum = Vec3::Zero();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) sum += area_vector(mesh, t);
  const Vec3 normal = sum.normalized();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 area = area_vector(mesh, t);
    if (!(normal.dot(area) >= steepest * area.norm())) return std::nullopt;
  }

  // The faces of a ground may look up or down: bodies lie on top of it.
  const bool looks_down = normal.dot(down) > upright * down.norm();
  const double side = looks_down ? 1.0 : -1.0;
  const Vec3 back = side * part_of_side * smaller_side(mesh, normal) * normal;
  const auto behind = static_cast<std::uint32_t>(mesh.vertices.size());
  TriMesh solid = mesh;
  for (const Vec3& v : mesh.vertices) solid.vertices.push_back(v + back);
  for (const Triangle& t : mesh.triangles)
    solid.triangles.push_back({t[0] + behind, t[2] + behind, t[1] + behind});
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t edge = topology.triangle_edges[t][k];
      if (edge == MeshTopology::none || !topology.is_boundary(edge)) continue;
      const std::uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      solid.triangles.push_back({b, a, a + behind});
      solid.triangles.push_back({b, a + behind, b + behind});
    }
  }
  if (looks_down) {
    for (Triangle& t : solid.triangles) std::swap(t[1], t[2]);
  }
  return solid;
}

}  // namespace peal::geometry

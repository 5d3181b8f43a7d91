#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/repair/self_intersection.h>
#include <peal/geometry/repair/shell_repair.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace peal::geometry {

namespace {

/// At sharp bends the sides meet in a mitre, which is at most this many times as long as the
/// distance of a face.
constexpr double longest_mitre = 3.0;

/// Where each vertex goes for a distance of 1 from its faces: along the normal that is weighted by
/// angles, as far as its faces are left in the mean.
std::vector<Vec3> mitres(const TriMesh& sheet) {
  std::vector<Vec3> sum(sheet.vertices.size(), Vec3::Zero());
  std::vector<double> along(sheet.vertices.size(), 0.0), angles = along;
  const auto for_corners = [&](const auto& visit) {
    for (std::size_t t = 0; t < sheet.triangles.size(); ++t) {
      const Vec3 normal = area_vector(sheet, t).normalized();
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t v = sheet.triangles[t][k];
        const Vec3 a = sheet.vertices[sheet.triangles[t][(k + 1) % 3]] - sheet.vertices[v],
                   b = sheet.vertices[sheet.triangles[t][(k + 2) % 3]] - sheet.vertices[v];
        visit(v, normal, std::atan2(a.cross(b).norm(), a.dot(b)));
      }
    }
  };
  for_corners([&](std::uint32_t v, const Vec3& normal, double angle) { sum[v] += angle * normal; });
  for (Vec3& normal : sum) normal.normalize();
  for_corners([&](std::uint32_t v, const Vec3& normal, double angle) {
    along[v] += angle * normal.dot(sum[v]);
    angles[v] += angle;
  });
  for (std::size_t v = 0; v < sum.size(); ++v) {
    const double cosine = angles[v] > 0.0 ? along[v] / angles[v] : 1.0;
    sum[v] *= std::min(longest_mitre, 1.0 / std::max(cosine, 1e-3));
  }
  return sum;
}

}  // namespace

namespace {

[[noreturn]] void refuse_crossing(const ShellMesh& shell, std::uint32_t vertex, const Vec3& at) {
  throw std::invalid_argument(
      fmt::format("a sheet of {:.3g} mm would cross itself near ({:.4g}, {:.4g}, {:.4g}) m",
                  1e3 * shell.thickness[vertex], at.x() + 0.0, at.y() + 0.0, at.z() + 0.0));
}

}  // namespace

TriMesh solid_of(const ShellMesh& shell) {
  const TriMesh& sheet = shell.middle;
  const MeshTopology topology = mesh_topology(sheet);
  const std::vector<Vec3> away = mitres(sheet);
  const auto behind = static_cast<std::uint32_t>(sheet.vertices.size());
  TriMesh solid;
  for (const double side : {0.5, -0.5}) {
    for (std::size_t v = 0; v < sheet.vertices.size(); ++v)
      solid.vertices.push_back(sheet.vertices[v] + side * shell.thickness[v] * away[v]);
  }
  solid.triangles = sheet.triangles;
  for (const Triangle& t : sheet.triangles)
    solid.triangles.push_back({t[0] + behind, t[2] + behind, t[1] + behind});
  for (std::size_t t = 0; t < sheet.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t edge = topology.triangle_edges[t][k];
      if (edge == MeshTopology::none || !topology.is_boundary(edge)) continue;
      const std::uint32_t a = sheet.triangles[t][k], b = sheet.triangles[t][(k + 1) % 3];
      solid.triangles.push_back({b, a, a + behind});
      solid.triangles.push_back({b, a + behind, b + behind});
    }
  }
  for (const auto& [a, b] : topology.edges) {
    const Vec3 along = sheet.vertices[b] - sheet.vertices[a];
    for (const std::uint32_t side : {0u, behind}) {
      // Beyond the centre of curvature, an edge runs backwards.
      if ((solid.vertices[b + side] - solid.vertices[a + side]).dot(along) > 0.0) continue;
      refuse_crossing(shell, a, 0.5 * (sheet.vertices[a] + sheet.vertices[b]));
    }
  }
  const SelfIntersections crossing = self_intersections(solid, 1);
  if (!crossing.pairs.empty()) {
    const std::uint32_t triangle = crossing.pairs.front()[0];
    refuse_crossing(shell, solid.triangles[triangle][0] % behind, triangle_centre(solid, triangle));
  }
  return solid;
}

}  // namespace peal::geometry

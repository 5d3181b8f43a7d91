#include <peal/geometry/mesh/mesh_topology.h>
#include <peal/geometry/mesh/shell_mesh.h>
#include <peal/geometry/mesh/smooth_surface.h>

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>

namespace peal::geometry {

std::vector<Vec3> vertex_normals(const TriMesh& surface) {
  std::vector<Vec3> normals(surface.vertices.size(), Vec3::Zero());
  for (const Triangle& triangle : surface.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& at = surface.vertices[triangle[k]];
      normals[triangle[k]] += corner_normal(surface.vertices[triangle[(k + 1) % 3]] - at,
                                            surface.vertices[triangle[(k + 2) % 3]] - at);
    }
  }
  for (Vec3& normal : normals) normal.normalize();
  return normals;
}

TriMesh surface_of(const ShellMesh& shell) {
  const TriMesh& middle = shell.middle;
  const std::vector<Vec3> normals = vertex_normals(middle);
  const auto inner = static_cast<std::uint32_t>(middle.vertices.size());
  TriMesh all;
  for (const double side : {0.5, -0.5}) {
    for (std::size_t v = 0; v < middle.vertices.size(); ++v)
      all.vertices.push_back(middle.vertices[v] + side * shell.thickness[v] * normals[v]);
  }
  all.triangles = middle.triangles;
  for (const auto& [a, b, c] : middle.triangles)
    all.triangles.push_back({a + inner, c + inner, b + inner});
  const MeshTopology topology = mesh_topology(middle);
  for (std::size_t t = 0; t < middle.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t edge = topology.triangle_edges[t][k];
      if (edge == MeshTopology::none || !topology.is_boundary(edge)) continue;
      const std::uint32_t a = middle.triangles[t][k], b = middle.triangles[t][(k + 1) % 3];
      all.triangles.push_back({b, a, a + inner});
      all.triangles.push_back({b, a + inner, b + inner});
    }
  }
  return all;
}

double volume(const ShellMesh& shell) {
  double sum = 0.0;
  for (std::size_t t = 0; t < shell.middle.triangles.size(); ++t) {
    const auto& [a, b, c] = shell.middle.triangles[t];
    sum += area_vector(shell.middle, t).norm() *
           (shell.thickness[a] + shell.thickness[b] + shell.thickness[c]) / 3.0;
  }
  return sum;
}

}  // namespace peal::geometry

#include <peal/geometry/mesh/tri_mesh.h>

#include <utility>

namespace peal::geometry {

Vec3 triangle_centre(const TriMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  return (mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3.0;
}

Vec3 area_vector(const TriMesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const Vec3& origin = mesh.vertices[a];
  return 0.5 * (mesh.vertices[b] - origin).cross(mesh.vertices[c] - origin);
}

Box bounds(const TriMesh& mesh) {
  Box box;
  for (const Vec3& vertex : mesh.vertices) box.extend(vertex);
  return box;
}

double surface_area(const TriMesh& mesh) {
  double area = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += area_vector(mesh, t).norm();
  return area;
}

TriMesh transformed(TriMesh mesh, const Affine& transform) {
  for (Vec3& vertex : mesh.vertices) vertex = transform * vertex;
  if (transform.linear().determinant() < 0.0) {
    for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  return mesh;
}

TriMesh joined(const TriMesh& a, const TriMesh& b) {
  TriMesh both = a;
  both.vertices.insert(both.vertices.end(), b.vertices.begin(), b.vertices.end());
  const auto vertex_offset = static_cast<std::uint32_t>(a.vertices.size());
  for (const auto& [i, j, k] : b.triangles) {
    both.triangles.push_back({i + vertex_offset, j + vertex_offset, k + vertex_offset});
  }
  if (a.groups.empty() && b.groups.empty()) return both;

  // A half without groups becomes one unnamed group.
  const auto groups_of = [](const TriMesh& mesh) {
    return mesh.groups.empty() ? std::vector<std::string>{""} : mesh.groups;
  };
  const auto group_of = [](const TriMesh& mesh, std::size_t t) {
    return mesh.triangle_group.empty() ? 0u : mesh.triangle_group[t];
  };
  both.groups = groups_of(a);
  const auto group_offset = static_cast<std::uint32_t>(both.groups.size());
  for (std::string& name : groups_of(b)) both.groups.push_back(std::move(name));
  both.triangle_group.clear();
  for (std::size_t t = 0; t < a.triangles.size(); ++t)
    both.triangle_group.push_back(group_of(a, t));
  for (std::size_t t = 0; t < b.triangles.size(); ++t) {
    both.triangle_group.push_back(group_of(b, t) + group_offset);
  }
  return both;
}

}  // namespace peal::geometry

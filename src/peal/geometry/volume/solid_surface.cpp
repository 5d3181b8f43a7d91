#include <peal/geometry/volume/solid_surface.h>

namespace peal::geometry {

SolidSurface solid_surface(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  std::vector<char> is_outside(vertices.size());
  for (const Triangle& triangle : triangles) {
    for (const std::uint32_t corner : triangle) is_outside[corner] = 1;
  }
  SolidSurface surface;
  std::vector<std::uint32_t> number(vertices.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    if (is_outside[v] == 0) continue;
    number[v] = static_cast<std::uint32_t>(surface.vertex.size());
    surface.vertex.push_back(v);
    surface.mesh.vertices.push_back(vertices[v]);
  }
  for (const Triangle& triangle : triangles)
    surface.mesh.triangles.push_back(
        {number[triangle[0]], number[triangle[1]], number[triangle[2]]});
  return surface;
}

}  // namespace peal::geometry

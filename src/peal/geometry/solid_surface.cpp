#include <peal/geometry/solid_surface.h>

#include <limits>

namespace peal::geometry {

SolidSurface solid_surface(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  SolidSurface surface;
  std::vector<std::uint32_t> number(vertices.size(), none);
  for (const Triangle& triangle : triangles) {
    Triangle corners;
    for (int k = 0; k < 3; ++k) {
      std::uint32_t& own = number[triangle[k]];
      if (own == none) {
        own = static_cast<std::uint32_t>(surface.vertex.size());
        surface.vertex.push_back(triangle[k]);
        surface.mesh.vertices.push_back(vertices[triangle[k]]);
      }
      corners[k] = own;
    }
    surface.mesh.triangles.push_back(corners);
  }
  return surface;
}

}  // namespace peal::geometry

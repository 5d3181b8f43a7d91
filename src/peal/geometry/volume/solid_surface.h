#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::geometry {

/// The outer surface of a solid that is divided into cells, with its own vertex numbers.
struct SolidSurface {
  TriMesh mesh;
  /// Vertex of the solid for each vertex of the surface: ascending.
  std::vector<std::uint32_t> vertex;
};

/// The surface formed by triangles between the vertices of a solid.
SolidSurface solid_surface(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace peal::geometry

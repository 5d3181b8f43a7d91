#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::geometry {

/// The outside of a solid that is cut into cells, with vertices of its own.
struct SolidSurface {
  TriMesh mesh;
  std::vector<std::uint32_t> vertex;  ///< in the solid, of each vertex of the surface: ascending
};

/// Of triangles between the vertices of a solid.
SolidSurface solid_surface(std::span<const Vec3> vertices, std::span<const Triangle> triangles);

}  // namespace peal::geometry

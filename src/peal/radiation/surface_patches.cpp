#include <peal/radiation/surface_patches.h>

#include <cmath>
#include <numbers>

namespace peal::radiation {

namespace {

using geometry::Vec3;

/// From the first triangle of a patch to its others.
const double least_cosine = std::cos(10.0 * std::numbers::pi / 180.0);

}  // namespace

void vector_areas(const geometry::TriMesh& mesh, std::span<const Vec3> vertices,
                  std::vector<Vec3>& out) {
  out.resize(mesh.triangles.size());
  for (std::size_t t = 0; t < out.size(); ++t) {
    const geometry::Triangle& triangle = mesh.triangles[t];
    const Vec3& a = vertices[triangle[0]];
    out[t] = 0.5 * (vertices[triangle[1]] - a).cross(vertices[triangle[2]] - a);
  }
}

SurfacePatches::SurfacePatches(const geometry::TriMesh& mesh) : corners_(mesh.triangles.size()) {
  struct Begun {
    std::uint32_t patch;
    Vec3 normal;
  };
  std::vector<std::vector<Begun>> around(mesh.vertices.size());
  std::vector<Vec3> areas;
  vector_areas(mesh, mesh.vertices, areas);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 normal = areas[t].stableNormalized();
    for (std::size_t k = 0; k < 3; ++k) {
      auto& begun = around[mesh.triangles[t][k]];
      std::size_t i = 0;
      while (i < begun.size() && begun[i].normal.dot(normal) < least_cosine) ++i;
      if (i == begun.size()) {
        begun.push_back({static_cast<std::uint32_t>(vertex_.size()), normal});
        vertex_.push_back(mesh.triangles[t][k]);
      }
      corners_[t][k] = begun[i].patch;
    }
  }
}

void SurfacePatches::normals(std::span<const Vec3> areas, std::vector<Vec3>& out) const {
  out.assign(size(), Vec3::Zero());
  for (std::size_t t = 0; t < corners_.size(); ++t) {
    for (const std::uint32_t patch : corners_[t]) out[patch] += areas[t];
  }
  for (Vec3& normal : out) normal.normalize();
}

}  // namespace peal::radiation

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::radiation {

/// Computes area times normal of each triangle for the current positions of the vertices.
void vector_areas(const geometry::TriMesh& mesh, std::span<const geometry::Vec3> vertices,
                  std::vector<geometry::Vec3>& out);

/// The lengths of vectors and their reciprocals (0 for zero vectors), computed all at once because
/// square roots and quotients are slow one by one.
struct Lengths {
  Eigen::ArrayXd lengths, inverse;

  void take(std::span<const geometry::Vec3> vectors);
};

/// The patches of a surface: the triangles around each vertex that join smoothly. A vertex on a
/// smooth part of the surface has one patch with all its triangles; a vertex at an edge has one
/// patch for each side. The normal of a patch is the mean of those of its triangles, weighted by
/// area, so the volume that a patch sweeps is exactly that of its triangles.
class SurfacePatches {
 public:
  /// Divides the shape at rest into patches.
  explicit SurfacePatches(const geometry::TriMesh& mesh);

  std::size_t size() const { return vertex_.size(); }
  std::uint32_t vertex(std::size_t patch) const { return vertex_[patch]; }
  /// The patches at the corners of a triangle.
  const std::array<std::uint32_t, 3>& corners(std::size_t triangle) const {
    return corners_[triangle];
  }

  /// A corner of a triangle; `number` is 0 to 2.
  struct Corner {
    std::uint32_t triangle, number;
  };
  /// The corners of triangles that meet in a patch.
  std::span<const Corner> around(std::size_t patch) const {
    return std::span(around_).subspan(first_[patch], first_[patch + 1] - first_[patch]);
  }

  /// Computes the normals of all patches from area times normal of each triangle; zero where these
  /// cancel.
  void normals(std::span<const geometry::Vec3> areas, std::vector<geometry::Vec3>& out) const;

 private:
  void take_around();

  std::vector<std::uint32_t> vertex_;
  std::vector<std::array<std::uint32_t, 3>> corners_;
  std::vector<Corner> around_;        ///< corners, patch by patch
  std::vector<std::uint32_t> first_;  ///< start of each patch in `around_`, and the last end
};

}  // namespace peal::radiation

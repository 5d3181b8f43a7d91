#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::radiation {

/// Area times normal of all triangles, where the vertices are now.
void vector_areas(const geometry::TriMesh& mesh, std::span<const geometry::Vec3> vertices,
                  std::vector<geometry::Vec3>& out);

/// Lengths of vectors, and 1 over these, or 0: all at once, as roots and quotients take long one by
/// one.
struct Lengths {
  Eigen::ArrayXd lengths, inverse;

  void take(std::span<const geometry::Vec3> vectors);
};

/// The smooth triangles of a surface around its vertices. Where the surface goes on smoothly a
/// vertex has one patch with all its triangles, at an edge one for each side. A patch has one
/// normal: that of its triangles, weighted with their areas. So the volume that a patch sweeps is
/// exactly that of its triangles.
class SurfacePatches {
 public:
  /// Patches are those of the shape at rest.
  explicit SurfacePatches(const geometry::TriMesh& mesh);

  std::size_t size() const { return vertex_.size(); }
  std::uint32_t vertex(std::size_t patch) const { return vertex_[patch]; }
  /// At the corners of a triangle.
  const std::array<std::uint32_t, 3>& corners(std::size_t triangle) const {
    return corners_[triangle];
  }

  /// The corner of a triangle, 0 to 2.
  struct Corner {
    std::uint32_t triangle, number;
  };
  /// That meet in a patch.
  std::span<const Corner> around(std::size_t patch) const {
    return std::span(around_).subspan(first_[patch], first_[patch + 1] - first_[patch]);
  }

  /// Normals of all patches, for triangles with these areas times normals; zero where they cancel.
  void normals(std::span<const geometry::Vec3> areas, std::vector<geometry::Vec3>& out) const;

 private:
  void take_around();

  std::vector<std::uint32_t> vertex_;
  std::vector<std::array<std::uint32_t, 3>> corners_;
  std::vector<Corner> around_;        ///< patch by patch
  std::vector<std::uint32_t> first_;  ///< of each patch, and one beyond
};

}  // namespace peal::radiation

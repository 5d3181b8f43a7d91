#pragma once

#include <peal/base/motion.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <vector>

namespace peal::radiation {

/// Vectors at many sample points, coordinate by coordinate. The arrays are padded to a multiple of
/// `at_once`, so that loops can process that many sample points at a time.
template <class Real>
struct CoordinatesOf {
  static constexpr std::size_t at_once = 8;
  static constexpr std::size_t padded(std::size_t count) {
    return (count + at_once - 1) / at_once * at_once;
  }

  std::array<std::vector<Real>, 3> of;

  void resize(std::size_t count) {
    for (auto& list : of) list.resize(padded(count));
  }
  base::Vec3 at(std::size_t i) const {
    return {static_cast<double>(of[0][i]), static_cast<double>(of[1][i]),
            static_cast<double>(of[2][i])};
  }
  void set(std::size_t i, const base::Vec3& value) {
    for (std::size_t k = 0; k < 3; ++k)
      of[k][i] = static_cast<Real>(value[static_cast<Eigen::Index>(k)]);
  }
  bool operator==(const CoordinatesOf&) const = default;
};
using Coordinates = CoordinatesOf<double>;

/// The surface of a body at one time, in world coordinates. Its outline is always known. Its sample
/// points and the normals of its patches are computed when first needed, and the normals and
/// velocities at sample points only for the triangles that were requested.
struct PlacedSurface {
  double time = 0.0;  ///< [s]
  /// Points that extend as far as the surface does [m], and facets that turn as it does, as area
  /// times normal. They are its vertices and triangles if it deforms, and otherwise those of a box.
  std::vector<base::Vec3> points, facets;
  std::vector<base::Vec3> patch_normals;     ///< empty if they are not known
  bool has_samples = false;                  ///< whether the sample points are known
  Coordinates sample_points;                 ///< [m]
  CoordinatesOf<float> normals, velocities;  ///< unit, [m/s]
  bool moves = false;                        ///< whether `velocities` are set
  std::vector<float> area;  ///< of each sample point, padded like `sample_points` [m^2]
  /// Cosines of the angles between the normal of each triangle and those of the patches at its
  /// corners, three per triangle, clamped to at least 0; empty without patches.
  std::vector<float> corner_cosines;
  geometry::Box box;  ///< around the sample points

  /// Whether sound takes the same paths from both surfaces.
  bool is_same_as(const PlacedSurface& other) const {
    return this == &other || (sample_points == other.sample_points && normals == other.normals &&
                              moves == other.moves && velocities == other.velocities);
  }
};

}  // namespace peal::radiation

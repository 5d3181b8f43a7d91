#pragma once

#include <peal/base/motion.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <array>
#include <vector>

namespace peal::radiation {

/// Vectors of many sample points, coordinate by coordinate. There are always a multiple of
/// `at_once` in memory, so that loops may take so many at a time.
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

/// A body's surface at one time, in the world. Its outline is always known, its places and the
/// normals of its patches once they were needed, and how sample points lie and move of the pieces
/// only that it was asked for.
struct PlacedSurface {
  double time = 0.0;  ///< [s]
  /// Points that go as far as the surface does [m], and facets that turn as it does, by their areas
  /// times normals: vertices and triangles if it deforms, or else those of a box.
  std::vector<base::Vec3> points, facets;
  std::vector<base::Vec3> patch_normals;     ///< none if they are not known
  bool has_samples = false;                  ///< whether they are known
  Coordinates sample_points;                 ///< [m]
  CoordinatesOf<float> normals, velocities;  ///< unit, [m/s]
  bool moves = false;                        ///< whether there are velocities
  std::vector<float> area;                   ///< [m^2], as many as sample points in memory
  /// If there are patches: of the angles between the normal of each triangle and those of the
  /// patches at its corners, three a triangle, at least 0.
  std::vector<float> corner_cosines;
  geometry::Box box;  ///< around the sample points

  /// Whether sound takes the same ways from there.
  bool is_same_as(const PlacedSurface& other) const {
    return this == &other || (sample_points == other.sample_points && normals == other.normals &&
                              moves == other.moves && velocities == other.velocities);
  }
};

}  // namespace peal::radiation

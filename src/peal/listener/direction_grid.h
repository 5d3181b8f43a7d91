#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <span>
#include <vector>

namespace peal::listener {

/// Directions all around, joined to triangles (Delaunay on the sphere: their convex hull), between
/// which values are interpolated.
class DirectionGrid {
 public:
  /// Unit vectors, none of them twice.
  explicit DirectionGrid(std::vector<geometry::Vec3> directions);

  const std::vector<geometry::Vec3>& directions() const { return directions_; }
  /// The part of the sphere that each direction stands for; the sum is 1.
  std::vector<double> weights() const;

  struct Place {
    std::array<std::size_t, 3> corners;
    std::array<double, 3> shares;  ///< not negative; the sum is 1
  };
  /// The triangle in this direction.
  Place find(const geometry::Vec3& direction) const;

 private:
  std::vector<geometry::Vec3> directions_;
  std::vector<std::array<std::size_t, 3>> triangles_;
};

}  // namespace peal::listener

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace peal::dynamics {

using geometry::Vec3;

/// A signed distance that is sampled on a lattice and interpolated by cubic B-splines in each
/// direction, so that normals and curvatures are continuous and nothing clicks where a contact
/// moves from cell to cell. The coefficients are f - d2 f / 6 in each direction (a
/// quasi-interpolant of fourth order: Sablonniere 2005), so that distant kinks have no effect.
class DistanceField {
 public:
  struct Lattice {
    Vec3 origin = Vec3::Zero();  ///< position of node (0, 0, 0) [m]
    double cell = 1.0;           ///< [m]
    std::array<int, 3> nodes = {0, 0, 0};

    std::size_t count() const;
    Vec3 at(int i, int j, int k) const;
  };

  /// Distances up to `true_cells` cells are exact. Farther away, samples are interpolated between
  /// others that are `far_spacing` cells apart.
  static constexpr int true_cells = 3, far_spacing = 4;

  /// `samples` holds the distance at each node, x fastest [m]. The lattice extends by at least
  /// true_cells + 1 cells around the surface.
  DistanceField(const Lattice& lattice, std::vector<float> samples);

  /// Distance at p [m], with the unit normal. Above true_distance() it is approximate, and outside
  /// of the lattice it is a lower bound.
  double distance(const Vec3& p, Vec3& normal) const;
  double true_distance() const { return true_cells * lattice_.cell; }  ///< [m]
  /// Lower bound of the distance of p [m].
  double least_distance(const Vec3& p) const;

  const Lattice& lattice() const { return lattice_; }

 private:
  double inside(const Vec3& p, Vec3& gradient) const;

  Lattice lattice_;
  std::vector<float> coefficients_;
};

}  // namespace peal::dynamics

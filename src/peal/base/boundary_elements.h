#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/mesh/triangle.h>

#include <Eigen/Core>
#include <array>
#include <complex>
#include <cstdint>
#include <vector>

namespace peal::base {

using geometry::Vec3;

/// The sound that a moving closed surface radiates into free air, by boundary elements: the field
/// of layers of dipoles mu and monopoles -i k mu on the surface (Brakhage & Werner 1965; Burton &
/// Miller 1971),
///
///   phi(x) = integral of [dG/dn' - i k G] mu,   G = exp(i k R) / (4 pi R),
///
/// whose normal derivative is the surface's velocity. Its hypersingular part is that of Maue
/// (1949), with mu linear between the points of a coarse surface (Galerkin), so that thin walls are
/// no trouble as long as their faces do not cross (CoarseSurface); the monopoles are there for the
/// frequencies at which air inside the surface would resonate. Phasors are exp(-i w t).
class BoundaryElements {
 public:
  /// At most `most_points` points of the surface, which is the size of the linear system.
  BoundaryElements(const geometry::TriMesh& fine, std::size_t most_points);

  std::size_t points() const { return points_.size(); }

  /// Flows of a velocity of the fine surface, one row of x, y, z per vertex and column: what
  /// crosses the area of each point [m^3/s].
  Eigen::MatrixXd flows(const geometry::TriMesh& fine,
                        const Eigen::Ref<const Eigen::MatrixXf>& velocities) const;

  /// r phi far away in each of the directions (rows), for each column of `flows` [m^3/s].
  Eigen::MatrixXcd far_field(double wavenumber, const Eigen::MatrixXd& flows,
                             const std::vector<Vec3>& directions) const;

 private:
  /// A triangle on which mu is linear.
  struct Element {
    std::array<std::uint32_t, 3> corners;
    Vec3 normal, centre;         ///< unit length, [m]
    double size;                 ///< its area [m^2]
    std::array<Vec3, 3> curls;   ///< n x grad of the hat function of each corner [1/m]
    std::array<Vec3, 3> inside;  ///< quadrature points [m]
  };

  void make_elements(const std::vector<std::array<std::uint32_t, 3>>& triangles);
  void place_vertices(const geometry::TriMesh& fine);
  bool find_static_parts();
  geometry::Corners corners(const Element& element) const;
  static bool near(const Element& a, const Element& b);
  Eigen::MatrixXd tested(const Eigen::MatrixXd& rows) const;
  Eigen::MatrixXcd matrix(double wavenumber) const;

  std::vector<std::uint32_t> point_of_;  ///< coarse point of each vertex of the fine surface
  std::vector<Vec3> points_;             ///< [m]
  std::vector<Element> elements_;
  /// Where on the elements each vertex of the fine surface is.
  struct Place {
    std::array<std::uint32_t, 3> corners;
    Vec3 barycentrics;
  };
  std::vector<Place> places_;
  Eigen::ArrayX3f inside_;      ///< quadrature points of all elements [m]
  Eigen::ArrayX3f normals_;     ///< at each of them
  Eigen::MatrixXf potentials_;  ///< mean of 1 / R over two elements [1/m]
  Eigen::MatrixXd half_;        ///< 1/2 - K' without delay, between hat functions [m^2]
};

}  // namespace peal::base

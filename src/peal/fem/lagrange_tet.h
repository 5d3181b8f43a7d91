#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

namespace peal::fem {

/// A quadrature rule for the tetrahedron with corners 0, e_x, e_y, e_z: `n` Gauss-Jacobi points
/// along each of its collapsed coordinates, exact for polynomials of degree 2 n - 1 (Stroud 1971,
/// conical product rules).
struct TetQuadrature {
  Eigen::Matrix3Xd points;
  Eigen::VectorXd weights;  ///< weights, which sum to 1/6

  explicit TetQuadrature(int n);
};

/// The Lagrange element of a given order: polynomials defined by their values at equally spaced
/// nodes.
class LagrangeTet {
 public:
  /// order: 1 to 4.
  explicit LagrangeTet(int order);

  int order() const { return order_; }
  /// Barycentric coordinates of each node, in units of 1 / order.
  const std::vector<std::array<int, 4>>& nodes() const { return nodes_; }

  /// Values of all shape functions (rows) at some points (columns).
  Eigen::MatrixXd values(const Eigen::Matrix3Xd& points) const;
  /// Derivatives of all shape functions along reference axis 0, 1 or 2.
  Eigen::MatrixXd derivatives(const Eigen::Matrix3Xd& points, int axis) const;

 private:
  int order_;
  std::vector<std::array<int, 4>> nodes_;
  std::vector<std::array<int, 3>> powers_;  ///< monomials x^a y^b z^c
  Eigen::MatrixXd coefficients_;  ///< coefficients of the shape functions (rows) in the monomials
};

}  // namespace peal::fem

#pragma once

#include <Eigen/Core>
#include <array>

namespace peal::fem {

/// Hierarchical polynomials of one order on the triangle (0,0), (1,0), (0,1): three for the
/// corners, order - 1 for each edge (0-1, 1-2, 2-0), then those that vanish on all edges.
class TriangleElement {
 public:
  explicit TriangleElement(int order);

  int order() const { return order_; }
  Eigen::Index size() const { return (order_ + 1) * (order_ + 2) / 2; }
  Eigen::Index edge_function(int edge, int number) const {
    return 3 + edge * (order_ - 1) + number;
  }
  Eigen::Index first_inner() const { return 3 * order_; }

  /// Values and derivatives with respect to the first and the second coordinate, one column each.
  Eigen::MatrixX3d at(double x, double y) const;

  /// Integrals of products over the triangle: values; derivatives 11, 12 + 21, 22.
  const Eigen::MatrixXd& mass() const { return mass_; }
  const std::array<Eigen::MatrixXd, 3>& stiffness() const { return stiffness_; }

 private:
  int order_;
  Eigen::MatrixXd mass_;
  std::array<Eigen::MatrixXd, 3> stiffness_;
};

}  // namespace peal::fem

#include <peal/fem/dense_algebra.h>
#include <peal/fem/rigid_motions.h>
#include <peal/fem/symmetric_eigen.h>
#include <peal/util/error.h>

#include <utility>

namespace peal::fem {

using Eigen::Index;
using Eigen::MatrixXd;
using geometry::Vec3;

Eigen::MatrixXd rigid_motions(const Matrices& matrices, const std::vector<Vec3>& nodes) {
  // Positions are relative to the centre and scaled by the size, so that the six columns have
  // similar norms.
  geometry::Box box;
  for (const Vec3& node : nodes) box.extend(node);
  const Vec3 middle = box.center();
  const double size = 0.5 * box.diagonal().norm();
  MatrixXd motions = MatrixXd::Zero(3 * static_cast<Index>(nodes.size()), 6);
  for (Index i = 0; i < static_cast<Index>(nodes.size()); ++i) {
    const Vec3 arm = (nodes[i] - middle) / size;
    for (int k = 0; k < 3; ++k) {
      motions(3 * i + k, k) = 1.0;
      motions.block<3, 1>(3 * i, 3 + k) = Vec3::Unit(k).cross(arm);
    }
  }
  return allowed_motions(matrices, std::move(motions));
}

Eigen::MatrixXd allowed_motions(const Matrices& matrices, Eigen::MatrixXd motions) {
  if (!matrices.held.empty()) {
    // Find the combinations that vanish wherever the body is fixed.
    MatrixXd squares = MatrixXd::Zero(6, 6);
    for (Index r = 0; r < motions.rows(); ++r)
      if (matrices.held[r]) squares += motions.row(r).transpose() * motions.row(r);
    const SymmetricEigen along = symmetric_eigen(squares);
    Index moving = 0;
    while (moving < 6 && along.values[moving] <= 1e-10 * along.values[5]) ++moving;
    motions = product(motions, along.vectors.leftCols(moving));
    for (Index r = 0; r < motions.rows(); ++r)
      if (matrices.held[r]) motions.row(r).setZero();
  }
  for (int pass = 0; pass < 2 && motions.cols() > 0; ++pass) {
    const MatrixXd gram = product(motions.transpose(), matrices.times_mass(motions));
    const auto lower = cholesky_factor(0.5 * (gram + gram.transpose()));
    if (!lower) throw util::NumericsError("the body has no mass in one of its directions");
    divide_by_transposed(motions, *lower);
  }
  return motions;
}

}  // namespace peal::fem

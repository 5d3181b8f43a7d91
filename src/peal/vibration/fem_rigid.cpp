#include <peal/vibration/fem_rigid.h>
#include <peal/vibration/symmetric_eigen.h>

#include <Eigen/Cholesky>

namespace peal::vibration {

using Eigen::Index;
using Eigen::MatrixXd;
using geometry::Vec3;

Eigen::MatrixXd rigid_motions(const FemMatrices& matrices, const std::vector<Vec3>& nodes) {
  // Lengths relative to the size, about the middle: the six columns are then of like weight.
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
  if (!matrices.held.empty()) {
    // Combinations that vanish wherever the body is held.
    MatrixXd squares = MatrixXd::Zero(6, 6);
    for (Index r = 0; r < motions.rows(); ++r)
      if (matrices.held[r]) squares += motions.row(r).transpose() * motions.row(r);
    const SymmetricEigen along = symmetric_eigen(squares);
    Index moving = 0;
    while (moving < 6 && along.values[moving] <= 1e-10 * along.values[5]) ++moving;
    motions = (motions * along.vectors.leftCols(moving)).eval();
    for (Index r = 0; r < motions.rows(); ++r)
      if (matrices.held[r]) motions.row(r).setZero();
  }
  for (int pass = 0; pass < 2 && motions.cols() > 0; ++pass) {
    const MatrixXd gram = motions.transpose() * matrices.times_mass(motions);
    const Eigen::LLT<MatrixXd> factor(0.5 * (gram + gram.transpose()));
    factor.matrixU().solveInPlace<Eigen::OnTheRight>(motions);
  }
  return motions;
}

}  // namespace peal::vibration

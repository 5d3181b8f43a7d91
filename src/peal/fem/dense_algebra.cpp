#include <peal/fem/dense_algebra.h>

#include <Eigen/Cholesky>

namespace peal::fem {

using Eigen::MatrixXd;

MatrixXd product(const Eigen::Ref<const MatrixXd>& a, const Eigen::Ref<const MatrixXd>& b) {
  return a * b;
}

std::optional<MatrixXd> cholesky_factor(const MatrixXd& a) {
  const Eigen::LLT<MatrixXd> factor(a);
  if (factor.info() != Eigen::Success) return std::nullopt;
  return factor.matrixL();
}

void divide_by_transposed(MatrixXd& x, const MatrixXd& lower) {
  lower.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(x);
}

MatrixXd transposed_times(const MatrixXd& lower, const MatrixXd& x) {
  return lower.triangularView<Eigen::Lower>().transpose() * x;
}

MatrixXd inverse_of_lower(const MatrixXd& lower) {
  MatrixXd inverse = MatrixXd::Identity(lower.rows(), lower.cols());
  lower.triangularView<Eigen::Lower>().solveInPlace(inverse);
  return inverse;
}

}  // namespace peal::fem

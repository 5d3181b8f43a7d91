#include <peal/fem/symmetric_eigen.h>

#include <Eigen/Eigenvalues>

namespace peal::fem {

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(k, m);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace peal::fem

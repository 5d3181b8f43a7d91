#pragma once

#include <Eigen/Core>

namespace peal::fem {

/// Eigenvalues, ascending, and orthonormal eigenvectors as columns.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Of a symmetric matrix; its lower half is read.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

/// Of k x = lambda m x, both symmetric and m positive definite; X^T m X = 1.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m);

}  // namespace peal::fem

#pragma once

#include <Eigen/Core>

namespace peal::fem {

/// Eigenvalues, ascending, and orthonormal eigenvectors as columns.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Solves the eigenproblem of a symmetric matrix, of which the lower half is read.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

/// Solves k x = lambda m x for symmetric k and m, m positive definite; X^T m X = 1.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m);

}  // namespace peal::fem

#pragma once

#include <Eigen/Core>

namespace peal::vibration {

/// Eigenvalues, ascending, and orthonormal eigenvectors as columns.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// Of a symmetric matrix; its lower half is read.
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

}  // namespace peal::vibration

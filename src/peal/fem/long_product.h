#pragma once

#include <Eigen/Core>

namespace peal::fem {

/// The product a^T b of two matrices with many rows. Rows are summed in blocks of fixed size, so
/// that the result does not depend on the number of threads.
Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                   const Eigen::Ref<const Eigen::MatrixXd>& b);

/// Subtracts a b from x, a matrix with many rows.
void subtract_product(Eigen::Ref<Eigen::MatrixXd> x, const Eigen::Ref<const Eigen::MatrixXd>& a,
                      const Eigen::MatrixXd& b);

}  // namespace peal::fem

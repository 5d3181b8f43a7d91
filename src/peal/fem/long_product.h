#pragma once

#include <Eigen/Core>

namespace peal::fem {

/// a^T b of two matrices with many rows. Rows are summed in fixed stretches: the result does not
/// depend on the number of threads.
Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                   const Eigen::Ref<const Eigen::MatrixXd>& b);

/// x -= a b for many rows.
void subtract_product(Eigen::Ref<Eigen::MatrixXd> x, const Eigen::Ref<const Eigen::MatrixXd>& a,
                      const Eigen::MatrixXd& b);

}  // namespace peal::fem

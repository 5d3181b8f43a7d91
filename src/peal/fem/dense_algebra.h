#pragma once

#include <Eigen/Core>
#include <optional>

// Dense matrices by functions that are compiled once. As an expression, each of these brings its
// own copy of Eigen's kernels with it.
namespace peal::fem {

/// a b.
Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                        const Eigen::Ref<const Eigen::MatrixXd>& b);

/// The lower triangular L of a = L L^T, whose lower half is read; nothing if a is not positive
/// definite.
std::optional<Eigen::MatrixXd> cholesky_factor(const Eigen::MatrixXd& a);

/// x L^-T: makes the columns of x orthonormal where L L^T are their inner products.
void divide_by_transposed(Eigen::MatrixXd& x, const Eigen::MatrixXd& lower);

/// L^T x.
Eigen::MatrixXd transposed_times(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& x);

/// L^-1.
Eigen::MatrixXd inverse_of_lower(const Eigen::MatrixXd& lower);

}  // namespace peal::fem

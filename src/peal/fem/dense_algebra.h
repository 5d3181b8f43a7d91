#pragma once

#include <Eigen/Core>
#include <optional>

// Operations on dense matrices, compiled once. As expressions, each of them would instantiate its
// own copy of Eigen's kernels.
namespace peal::fem {

/// The product a b.
Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                        const Eigen::Ref<const Eigen::MatrixXd>& b);

/// The lower triangular L of a = L L^T, from the lower half of a; nullopt if a is not positive
/// definite.
std::optional<Eigen::MatrixXd> cholesky_factor(const Eigen::MatrixXd& a);

/// Replaces x by x L^-T, which makes its columns orthonormal if L L^T is their Gram matrix.
void divide_by_transposed(Eigen::MatrixXd& x, const Eigen::MatrixXd& lower);

/// The product L^T x.
Eigen::MatrixXd transposed_times(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& x);

/// The inverse L^-1.
Eigen::MatrixXd inverse_of_lower(const Eigen::MatrixXd& lower);

}  // namespace peal::fem

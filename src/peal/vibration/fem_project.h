#pragma once

#include <peal/vibration/fem_assembly.h>
#include <peal/vibration/lanczos.h>

namespace peal::vibration {

/// Restricts vectors of one space to loads of a coarser one on the same mesh: P^T x, where P
/// interpolates functions of order `coarse.order` at the nodes of `fine`.
Eigen::MatrixXd restricted(const FemSpace& fine, const FemSpace& coarse, const Eigen::MatrixXd& x);

/// How much higher each eigenvalue of `pairs` would be in the coarser space, relative to itself, to
/// leading order: the square of the energy norm of what the coarser space cannot represent,
///     (lambda_c - lambda) / (lambda + s) = 1 - |Pi x|^2 / |x|^2 ,
/// with Pi the projection in the energy of K + s M (Babuska & Osborn 1991, section 8). It needs one
/// factorisation and one solve instead of another eigenproblem, and no pairing of modes.
/// `projected` receives Pi x.
Eigen::VectorXd coarse_excess(const FemMatrices& fine, const FemSpace& fine_space,
                              const FemMatrices& coarse, const FemSpace& coarse_space,
                              const Eigenpairs& pairs, double shift, Eigen::MatrixXd& projected);

/// Rayleigh quotients after one step of inverse iteration from x: eigenvalues of a slightly changed
/// body whose eigenvectors are near x. `known` are M-orthonormal eigenvectors to be left out.
Eigen::VectorXd quotients_near(const FemMatrices& matrices, const Eigen::MatrixXd& known,
                               const Eigen::MatrixXd& x, double shift);

}  // namespace peal::vibration

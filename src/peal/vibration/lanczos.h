#pragma once

#include <peal/vibration/fem_matrix.h>

#include <Eigen/Core>
#include <functional>

namespace peal::vibration {

/// Solutions of K x = lambda M x, ascending; X^T M X = I.
struct Eigenpairs {
  Eigen::VectorXd values;   ///< lambda = w^2 [1/s^2]
  Eigen::MatrixXd vectors;  ///< a column each [kg^-1/2]
};

/// Which eigenpairs are wanted, and how well.
struct LanczosSettings {
  double max_value = 0.0;   ///< all lambda up to this are wanted [1/s^2]; 0: only `count` decides
  Eigen::Index count = 0;   ///< at most so many, lowest first; 0: as many as there are
  double shift = 0.0;       ///< K + shift M is what is inverted; above zero [1/s^2]
  double tolerance = 1e-8;  ///< of |A x - theta x| / theta for A = (K + shift M)^-1 M
  /// One more inverse iteration at the end: |K x - lambda M x| then falls to what rounding leaves.
  bool polish = true;
  std::uint64_t seed = 1;  ///< of the start block
  /// Shown the lowest pairs once `early_count` of them have converged; if it returns false, they
  /// are the result.
  std::function<bool(const Eigenpairs&)> early;
  Eigen::Index early_count = 8;
  /// Told how many of the wanted pairs are there, as a part of 1.
  std::function<void(double)> progress;
};

/// The lowest eigenpairs by block Lanczos on (K + shift M)^-1 M in the inner product of M (Grimes,
/// Lewis & Simon 1994), with full reorthogonalisation and without restart. `known` are
/// M-orthonormal eigenvectors that are not looked for again: the rigid motions of a free body.
///
/// Throws util::NumericsError if it does not converge.
Eigenpairs lowest_eigenpairs(const FemMatrices& matrices, const Eigen::MatrixXd& known,
                             const LanczosSettings& settings);

/// How far each pair is from solving the problem: the length of r = K x - lambda M x where energy
/// measures lengths, sqrt(r . (K + shift M)^-1 r / (lambda + shift)). An exact eigenvalue lies
/// within about this part of lambda, and usually within its square.
///
/// |r| / |K x| says less the finer the mesh is: rounding x to a double changes K x by 1e-16 |K|
/// |x|, and in thin walls |K| |x| is 1e8 to 1e10 times |K x|.
Eigen::VectorXd residuals(const FemMatrices& matrices, const Eigenpairs& pairs, double shift);

}  // namespace peal::vibration

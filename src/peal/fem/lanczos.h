#pragma once

#include <peal/fem/matrices.h>

#include <Eigen/Core>
#include <functional>

namespace peal::fem {

/// Solutions of K x = lambda M x in ascending order, with X^T M X = I.
struct Eigenpairs {
  Eigen::VectorXd values;   ///< lambda = w^2 [1/s^2]
  Eigen::MatrixXd vectors;  ///< one column per eigenvector [kg^-1/2]
};

/// The eigenpairs to compute, and their accuracy.
struct LanczosSettings {
  double max_value = 0.0;  ///< upper end of the wanted lambda [1/s^2]; 0: only `count` limits
  Eigen::Index count = 0;  ///< largest number of pairs, lowest first; 0: no limit
  double shift = 0.0;  ///< shift in K + shift M, the matrix that is inverted; above zero [1/s^2]
  double tolerance = 1e-8;  ///< bound of |A x - theta x| / theta for A = (K + shift M)^-1 M
  /// Ends with one more inverse iteration, which reduces |K x - lambda M x| to rounding error.
  bool polish = true;
  std::uint64_t seed = 1;  ///< random seed of the start block
  /// Receives the lowest pairs once `early_count` of them have converged; if it returns false, they
  /// are the result.
  std::function<bool(const Eigenpairs&)> early;
  Eigen::Index early_count = 8;
  /// Receives the fraction of the wanted pairs that have converged, 0 to 1.
  std::function<void(double)> progress;
};

/// The lowest eigenpairs by block Lanczos on (K + shift M)^-1 M in the inner product of M (Grimes,
/// Lewis & Simon 1994), with full reorthogonalisation and without restart. `known` are
/// M-orthonormal eigenvectors that are excluded from the search: the rigid motions of a free body.
///
/// Throws util::NumericsError if it does not converge.
Eigenpairs lowest_eigenpairs(const Matrices& matrices, const Eigen::MatrixXd& known,
                             const LanczosSettings& settings);

/// The largest errors of pairs as solutions of K x = lambda M x, with r = K x - lambda M x.
struct PairErrors {
  /// |r| / ((|K| + lambda |M|) |x|), with the largest row sum as matrix norm: the relative change
  /// of K and M that would make the pair exact. This is the usual test of eigensolvers (LAPACK's
  /// test of dsygv; Tisseur 2000).
  double backward = 0.0;
  /// The energy norm of r, sqrt(r . (K + shift M)^-1 r / (lambda + shift)): there is an exact
  /// eigenvalue within about this relative distance of lambda, and usually within its square.
  double energy = 0.0;
  double orthogonality = 0.0;  ///< largest entry of |X^T M X - I|
};

/// |r| / |lambda M x| is not among them because it becomes less meaningful as the mesh is refined.
/// Rounding x to a double changes K x by 1e-16 |K| |x|, and in thin walls |K| |x| is 1e8 to 1e10
/// times |K x| (docs/theory/vibration-modes.md).
PairErrors pair_errors(const Matrices& matrices, const Eigenpairs& pairs, double shift);

}  // namespace peal::fem

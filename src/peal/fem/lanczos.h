#pragma once

#include <peal/fem/matrices.h>

#include <Eigen/Core>
#include <functional>

namespace peal::fem {

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
Eigenpairs lowest_eigenpairs(const Matrices& matrices, const Eigen::MatrixXd& known,
                             const LanczosSettings& settings);

/// How well pairs solve K x = lambda M x, with r = K x - lambda M x: the worst of them.
struct PairErrors {
  /// |r| / ((|K| + lambda |M|) |x|), matrices by their largest row sum: how much, relatively, K and
  /// M would have to be changed to make the pair exact. What tests of eigensolvers ask for
  /// (LAPACK's of dsygv; Tisseur 2000).
  double backward = 0.0;
  /// The length of r where energy measures lengths, sqrt(r . (K + shift M)^-1 r / (lambda +
  /// shift)): an exact eigenvalue lies within about this part of lambda, and usually within its
  /// square.
  double energy = 0.0;
  double orthogonality = 0.0;  ///< largest entry of |X^T M X - I|
};

/// |r| / |lambda M x| is not among them: it says less the finer the mesh is. Rounding x to a double
/// changes K x by 1e-16 |K| |x|, and in thin walls |K| |x| is 1e8 to 1e10 times |K x|
/// (docs/theory/vibration-modes.md).
PairErrors pair_errors(const Matrices& matrices, const Eigenpairs& pairs, double shift);

}  // namespace peal::fem

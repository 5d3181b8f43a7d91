#pragma once

#include <functional>
#include <vector>

namespace peal::fem {

/// Computes the largest eigenvalue of a symmetric matrix of which only products with vectors are
/// known.
///
/// The three-term recurrence (Golub & Van Loan 2013, section 10.1) stores two vectors and does not
/// reorthogonalise: the largest eigenvalue converges first and rounding does not harm it.
/// lowest_eigenpairs() computes many of the lowest eigenpairs, with a factorised matrix.
class LanczosIteration {
 public:
  /// Computes q = A p.
  using Product = std::function<void(const std::vector<double>& p, std::vector<double>& q)>;

  /// `start` must have unit length.
  LanczosIteration(Product product, std::vector<double> start);

  /// Does one step, with one product; false if the Krylov space is exhausted.
  bool step();

  /// The largest eigenvalue of the projected, tridiagonal matrix. Requires at least one step.
  double largest() const;

  const std::vector<double>& vector() const { return p_; }  ///< Lanczos vector of the next step
  double diagonal() const { return diagonal_.back(); }      ///< diagonal entry of the last step
  double off_diagonal() const { return off_diagonal_.back(); }

 private:
  Product product_;
  std::vector<double> before_, p_, q_;
  std::vector<double> diagonal_, off_diagonal_;
};

}  // namespace peal::fem

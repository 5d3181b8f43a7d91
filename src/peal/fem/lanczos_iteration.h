#pragma once

#include <functional>
#include <vector>

namespace peal::fem {

/// The largest eigenvalue of a symmetric matrix that is given by its products with vectors alone.
///
/// The three-term recurrence (Golub & Van Loan 2013, section 10.1) keeps two vectors and does not
/// reorthogonalise: the largest eigenvalue converges first and rounding does not harm it. For
/// many of the lowest eigenpairs, with a factorised matrix, there is lowest_eigenpairs().
class LanczosIteration {
 public:
  /// q = A p.
  using Product = std::function<void(const std::vector<double>& p, std::vector<double>& q)>;

  /// `start` has unit length.
  LanczosIteration(Product product, std::vector<double> start);

  /// One product; false if the Krylov space is exhausted.
  bool step();

  /// The largest eigenvalue of the projected, tridiagonal matrix. At least one step must be done.
  double largest() const;

  const std::vector<double>& vector() const { return p_; }  ///< the one that the next step takes
  double diagonal() const { return diagonal_.back(); }      ///< of the last step
  double off_diagonal() const { return off_diagonal_.back(); }

 private:
  Product product_;
  std::vector<double> before_, p_, q_;
  std::vector<double> diagonal_, off_diagonal_;
};

}  // namespace peal::fem

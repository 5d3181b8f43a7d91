#pragma once

#include <Eigen/Core>

namespace peal::vibration {

/// Polynomials on [-1, 1] that vanish `low`-fold at -1 and `high`-fold at +1, orthonormal under the
/// plain integral: (1 + s)^low (1 - s)^high times the orthonormal polynomials of the weight (1 +
/// s)^(2 low) (1 - s)^(2 high). Polynomials of even index are even if low = high. They are in long
/// double, because combinations with little bending lose many digits.
class EdgePolynomials {
 public:
  using Real = long double;
  using Columns = Eigen::Matrix<Real, Eigen::Dynamic, 3>;

  EdgePolynomials(int low, int high, int count);

  int count() const { return static_cast<int>(alpha_.size()); }

  /// Values and first two derivatives at s, one column each.
  Columns at(Real s) const;

 private:
  int low_, high_;
  /// sqrt(beta_{k+1}) p_{k+1} = (s - alpha_k) p_k - sqrt(beta_k) p_{k-1}; beta_0 makes p_0
  /// normal.
  Eigen::Matrix<Real, Eigen::Dynamic, 1> alpha_, beta_;
};

}  // namespace peal::vibration

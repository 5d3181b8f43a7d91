#include <peal/fem/lanczos_iteration.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace peal::fem {
namespace {

/// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection with a Sturm sequence.
double largest_of_tridiagonal(const std::vector<double>& diagonal,
                              const std::vector<double>& off_diagonal) {
  double high = 0.0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    high = std::max(high, diagonal[i] + (i > 0 ? off_diagonal[i - 1] : 0.0) + off_diagonal[i]);
  }
  double low = 0.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    bool all_below = true;
    double pivot = 1.0;
    for (std::size_t k = 0; k < diagonal.size() && all_below; ++k) {
      pivot =
          middle - diagonal[k] - (k > 0 ? off_diagonal[k - 1] * off_diagonal[k - 1] / pivot : 0.0);
      all_below = pivot > 0.0;
    }
    (all_below ? high : low) = middle;
  }
  return high;
}

}  // namespace

LanczosIteration::LanczosIteration(Product product, std::vector<double> start)
    : product_(std::move(product)), before_(start.size()), p_(std::move(start)), q_(p_.size()) {}

bool LanczosIteration::step() {
  product_(p_, q_);
  const double a = std::inner_product(p_.begin(), p_.end(), q_.begin(), 0.0);
  const double b_before = off_diagonal_.empty() ? 0.0 : off_diagonal_.back();
  for (std::size_t i = 0; i < p_.size(); ++i) q_[i] -= a * p_[i] + b_before * before_[i];
  const double b = std::sqrt(std::inner_product(q_.begin(), q_.end(), q_.begin(), 0.0));
  diagonal_.push_back(a);
  off_diagonal_.push_back(b);
  if (!(b > 1e-10 * std::abs(a))) return false;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    before_[i] = p_[i];
    p_[i] = q_[i] / b;
  }
  return true;
}

double LanczosIteration::largest() const {
  return largest_of_tridiagonal(diagonal_, off_diagonal_);
}

}  // namespace peal::fem

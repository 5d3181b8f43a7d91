#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/scaled_stiffness.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace peal::elastic {
namespace {

/// Of a symmetric tridiagonal matrix, by bisection with Sturm's sequence.
double largest_of_tridiagonal(const std::vector<double>& diagonal,
                              const std::vector<double>& beside) {
  double high = 0.0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    high = std::max(high, diagonal[i] + (i > 0 ? beside[i - 1] : 0.0) + beside[i]);
  }
  double low = 0.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    bool all_below = true;
    double pivot = 1.0;
    for (std::size_t k = 0; k < diagonal.size() && all_below; ++k) {
      pivot = middle - diagonal[k] - (k > 0 ? beside[k - 1] * beside[k - 1] / pivot : 0.0);
      all_below = pivot > 0.0;
    }
    (all_below ? high : low) = middle;
  }
  return high;
}

void scale_to_unit(std::vector<double>& p) {
  const double length = std::sqrt(std::inner_product(p.begin(), p.end(), p.begin(), 0.0));
  for (double& value : p) value /= std::max(length, 1e-300);
}

/// All directions that are free, at random and of unit length; zero if nothing is.
std::vector<double> random_shape(const ScaledStiffness& A) {
  std::vector<double> p(A.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = A.scale()[i] > 0.0 ? util::random_uniform(1, 0, i) - 0.5 : 0.0;
  }
  scale_to_unit(p);
  return p;
}

/// Lanczos' iteration from a shape of unit length.
class Lanczos {
 public:
  Lanczos(ScaledStiffness A, std::vector<double> shape)
      : A_(std::move(A)), before_(shape.size()), p_(std::move(shape)), q_(p_.size()) {}

  /// False if all of the space was seen.
  bool step() {
    A_.apply(p_, q_);
    const double a = std::inner_product(p_.begin(), p_.end(), q_.begin(), 0.0);
    const double b_before = beside_.empty() ? 0.0 : beside_.back();
    for (std::size_t i = 0; i < p_.size(); ++i) q_[i] -= a * p_[i] + b_before * before_[i];
    const double b = std::sqrt(std::inner_product(q_.begin(), q_.end(), q_.begin(), 0.0));
    diagonal_.push_back(a);
    beside_.push_back(b);
    if (!(b > 1e-10 * std::abs(a))) return false;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      before_[i] = p_[i];
      p_[i] = q_[i] / b;
    }
    return true;
  }

  double largest() const { return largest_of_tridiagonal(diagonal_, beside_); }
  const std::vector<double>& shape() const { return p_; }  ///< that the next step takes
  double diagonal() const { return diagonal_.back(); }
  double beside() const { return beside_.back(); }

 private:
  ScaledStiffness A_;
  std::vector<double> before_, p_, q_;
  std::vector<double> diagonal_, beside_;
};

}  // namespace

double largest_frequency(const Solid& solid, const FreeAxes& free) {
  constexpr int fewest = 40, most = 400, between = 10;
  constexpr double tolerance = 1e-4;  // of the largest eigenvalue, between two looks
  ScaledStiffness A(solid, free, solid.rest);
  Lanczos lanczos(A, random_shape(A));
  double largest = 0.0;
  for (int k = 1; k <= most; ++k) {
    const bool goes_on = lanczos.step();
    if (goes_on && (k < fewest || k % between != 0)) continue;
    const double now = lanczos.largest();
    if (!goes_on || now - largest < tolerance * now) return std::sqrt(now);
    largest = now;
  }
  return std::sqrt(largest);
}

FrequencyWatch::FrequencyWatch(const Solid& solid, const FreeAxes& free)
    : shape_(random_shape(ScaledStiffness(solid, free, solid.rest))) {
  for (int i = 0; i < 4; ++i) look(solid, free, solid.rest);
}

double FrequencyWatch::look(const Solid& solid, const FreeAxes& free, const Nodes& positions) {
  constexpr int iterations = 8;
  Lanczos lanczos({solid, free, positions}, shape_);
  std::vector<std::vector<double>> basis;
  std::vector<double> diagonal, beside;
  bool goes_on = true;
  while (goes_on && basis.size() < iterations) {
    basis.push_back(lanczos.shape());
    goes_on = lanczos.step();
    diagonal.push_back(lanczos.diagonal());
    beside.push_back(lanczos.beside());
    // Near an eigenvector what is left is the rounding of differences of forces.
    goes_on = goes_on && beside.back() > 1e-4 * diagonal.back();
  }
  const double largest = lanczos.largest();
  // The eigenvector of the tridiagonal matrix, row by row, and the shape that it stands for.
  std::fill(shape_.begin(), shape_.end(), 0.0);
  double part = 1.0, last = 0.0;
  for (std::size_t k = 0; k < basis.size(); ++k) {
    for (std::size_t i = 0; i < shape_.size(); ++i) shape_[i] += part * basis[k][i];
    if (k + 1 == basis.size()) break;
    const double next =
        ((largest - diagonal[k]) * part - (k > 0 ? beside[k - 1] * last : 0.0)) / beside[k];
    last = std::exchange(part, next);
  }
  scale_to_unit(shape_);
  return std::sqrt(largest);
}

}  // namespace peal::elastic

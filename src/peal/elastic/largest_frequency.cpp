#include <peal/elastic/largest_frequency.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace peal::elastic {
namespace {

/// M^-1/2 K M^-1/2 on vectors of 3 n numbers: all x, all y, all z.
class ScaledStiffness {
 public:
  ScaledStiffness(const Solid& solid, const FreeAxes& free, const Nodes& positions)
      : solid_(solid), positions_(positions), here_(positions.size()), one_(here_), other_(here_) {
    const std::size_t n = solid.rest.size();
    const double mass = std::accumulate(solid.mass.begin(), solid.mass.end(), 0.0);
    const double volume = mass / solid.material.density;
    // Strains of 1e-5: their square and the rounding of forces both leave eight digits.
    length_ = 1e-5 * std::cbrt(volume / static_cast<double>(solid.forces->elements()));
    scale_.resize(3 * n);
    for (int axis = 0; axis < 3; ++axis) {
      for (std::size_t i = 0; i < n; ++i) {
        scale_[axis * n + i] = free[axis][i] / std::sqrt(solid.mass[i]);
      }
    }
  }

  std::size_t size() const { return scale_.size(); }
  const std::vector<double>& scale() const { return scale_; }

  /// q = A p.
  void apply(const std::vector<double>& p, std::vector<double>& q) {
    spread_ = p;
    spread(spread_);
    apply_lumped(spread_, q);
    spread(q);
  }

 private:
  /// With mass across a layer, M = D^1/2 (1 + (a - 1) u u^T) D^1/2 for each pair, where D are the
  /// lumps and u = (sqrt m_b, -sqrt m_a) / sqrt(m_a + m_b): times the root of the inverse of what
  /// is in brackets.
  void spread(std::vector<double>& p) const {
    if (solid_.mass_across == 1.0) return;
    const std::size_t n = solid_.rest.size();
    for (const auto& [a, b] : solid_.across) {
      const double total = solid_.mass[a] + solid_.mass[b];
      const double ua = std::sqrt(solid_.mass[b] / total), ub = -std::sqrt(solid_.mass[a] / total);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (scale_[axis * n + a] == 0.0 || scale_[axis * n + b] == 0.0) continue;
        double &pa = p[axis * n + a], &pb = p[axis * n + b];
        const double part = (1.0 / std::sqrt(solid_.mass_across) - 1.0) * (ua * pa + ub * pb);
        pa += part * ua;
        pb += part * ub;
      }
    }
  }

  void apply_lumped(const std::vector<double>& p, std::vector<double>& q) {
    const std::size_t n = solid_.rest.size();
    double largest = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i)
      largest = std::max(largest, std::abs(p[i] * scale_[i]));
    const double step = largest > 0.0 ? length_ / largest : 0.0;
    push(p, step, one_);
    push(p, -step, other_);
    for (std::size_t i = 0; i < n; ++i) {
      const double s = step > 0.0 ? 0.5 / step : 0.0;
      q[i] = s * scale_[i] * (other_.x[i] - one_.x[i]);
      q[n + i] = s * scale_[n + i] * (other_.y[i] - one_.y[i]);
      q[2 * n + i] = s * scale_[2 * n + i] * (other_.z[i] - one_.z[i]);
    }
  }

  /// Forces where nodes have moved by `step` times the scaled p.
  void push(const std::vector<double>& p, double step, Nodes& forces) {
    const std::size_t n = solid_.rest.size();
    for (std::size_t i = 0; i < n; ++i) {
      here_.x[i] = positions_.x[i] + step * scale_[i] * p[i];
      here_.y[i] = positions_.y[i] + step * scale_[n + i] * p[n + i];
      here_.z[i] = positions_.z[i] + step * scale_[2 * n + i] * p[2 * n + i];
    }
    forces.clear();
    solid_.forces->add(here_, forces);
  }

  const Solid& solid_;
  const Nodes& positions_;
  Nodes here_, one_, other_;
  std::vector<double> scale_, spread_;
  double length_;  ///< of the largest displacement [m]
};

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

#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/scaled_stiffness.h>
#include <peal/fem/lanczos_iteration.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace peal::elastic {
namespace {

void scale_to_unit(std::vector<double>& p) {
  const double length = std::sqrt(std::inner_product(p.begin(), p.end(), p.begin(), 0.0));
  for (double& value : p) value /= std::max(length, 1e-300);
}

/// A random vector of unit length over all free directions; zero if there are none.
std::vector<double> random_shape(const ScaledStiffness& A) {
  std::vector<double> p(A.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = A.scale()[i] > 0.0 ? util::random_uniform(1, 0, i) - 0.5 : 0.0;
  }
  scale_to_unit(p);
  return p;
}

}  // namespace

double largest_frequency(const Solid& solid, const FreeAxes& free) {
  constexpr int fewest = 40, most = 400, between = 10;
  constexpr double tolerance = 1e-4;  // of the largest eigenvalue, between two checks
  ScaledStiffness A(solid, free, solid.rest);
  fem::LanczosIteration lanczos([&](const auto& p, auto& q) { A.apply(p, q); }, random_shape(A));
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
  ScaledStiffness A(solid, free, positions);
  fem::LanczosIteration lanczos([&](const auto& p, auto& q) { A.apply(p, q); }, shape_);
  std::vector<std::vector<double>> basis;
  std::vector<double> diagonal, beside;
  bool goes_on = true;
  while (goes_on && basis.size() < iterations) {
    basis.push_back(lanczos.vector());
    goes_on = lanczos.step();
    diagonal.push_back(lanczos.diagonal());
    beside.push_back(lanczos.off_diagonal());
    // Near an eigenvector the residual is the rounding error of differences of forces.
    goes_on = goes_on && beside.back() > 1e-4 * diagonal.back();
  }
  const double largest = lanczos.largest();
  // The eigenvector of the tridiagonal matrix is found row by row, with the mode shape that it
  // stands for.
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

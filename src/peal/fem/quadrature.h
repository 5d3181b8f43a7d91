#pragma once

#include <cstddef>
#include <vector>

namespace peal::fem {

/// Gauss-Legendre points and weights on [-1, 1]: exact for polynomials of degree 2 n - 1.
struct Quadrature {
  std::vector<double> points, weights;
};

Quadrature gauss_legendre(int n);

/// The integral of f(s) over s = 0 ... 1, for functions that oscillate through `radians` there: a
/// Gauss rule of 12 points for every four radians.
template <class Function>
double integrate_waves(const Function& f, double radians) {
  static const Quadrature rule = gauss_legendre(12);
  const int panels = static_cast<int>(0.25 * radians) + 2;
  double sum = 0.0;
  for (int panel = 0; panel < panels; ++panel) {
    for (std::size_t i = 0; i < rule.points.size(); ++i) {
      sum += rule.weights[i] * f((panel + 0.5 + 0.5 * rule.points[i]) / panels);
    }
  }
  return 0.5 * sum / panels;
}

}  // namespace peal::fem

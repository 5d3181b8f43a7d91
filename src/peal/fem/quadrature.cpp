#include <peal/fem/quadrature.h>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace peal::fem {

Quadrature gauss_legendre(int n) {
  Quadrature rule{std::vector<double>(static_cast<std::size_t>(n)),
                  std::vector<double>(static_cast<std::size_t>(n))};
  for (int i = 0; i < n; ++i) {
    // Newton's method on P_n from Tricomi's estimate of its roots.
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int pass = 0; pass < 10; ++pass) {
      double before = 1.0, value = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      slope = n * (x * value - before) / (x * x - 1.0);
      const double step = value / slope;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    rule.points[static_cast<std::size_t>(i)] = x;
    rule.weights[static_cast<std::size_t>(i)] = 2.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace peal::fem

#include <peal/fem/quadrature.h>
#include <peal/fem/triangle_element.h>

#include <vector>

namespace peal::fem {

namespace {

/// A value with its two derivatives.
struct Jet {
  double value = 0.0, dx = 0.0, dy = 0.0;

  friend Jet operator+(const Jet& a, const Jet& b) {
    return {a.value + b.value, a.dx + b.dx, a.dy + b.dy};
  }
  friend Jet operator*(double s, const Jet& a) { return {s * a.value, s * a.dx, s * a.dy}; }
  friend Jet operator*(const Jet& a, const Jet& b) {
    return {a.value * b.value, a.dx * b.value + a.value * b.dx, a.dy * b.value + a.value * b.dy};
  }
};

/// Legendre's polynomials 0 ... count - 1 of z, times sqrt(2 n + 1).
std::vector<Jet> legendre_jets(const Jet& z, int count) {
  std::vector<Jet> p = {{1.0, 0.0, 0.0}, z};
  for (int n = 2; n < count; ++n) {
    p.push_back((2.0 * n - 1.0) / n * (z * p[static_cast<std::size_t>(n - 1)]) +
                -(n - 1.0) / n * p[static_cast<std::size_t>(n - 2)]);
  }
  for (std::size_t n = 0; n < p.size(); ++n)
    p[n] = std::sqrt(2.0 * static_cast<double>(n) + 1.0) * p[n];
  return p;
}

}  // namespace

TriangleElement::TriangleElement(int order) : order_(order) {
  mass_ = Eigen::MatrixXd::Zero(size(), size());
  stiffness_.fill(mass_);
  // Gauss quadrature along both coordinates of the square that collapses to the triangle.
  const Quadrature rule = gauss_legendre(order + 2);
  for (std::size_t i = 0; i < rule.points.size(); ++i) {
    for (std::size_t j = 0; j < rule.points.size(); ++j) {
      const double y = 0.5 + 0.5 * rule.points[j], x = (0.5 + 0.5 * rule.points[i]) * (1.0 - y);
      const double weight = 0.25 * rule.weights[i] * rule.weights[j] * (1.0 - y);
      const Eigen::MatrixX3d f = at(x, y);
      mass_ += weight * f.col(0) * f.col(0).transpose();
      stiffness_[0] += weight * f.col(1) * f.col(1).transpose();
      const Eigen::MatrixXd mixed = weight * f.col(1) * f.col(2).transpose();
      stiffness_[1] += mixed + mixed.transpose();
      stiffness_[2] += weight * f.col(2) * f.col(2).transpose();
    }
  }
}

Eigen::MatrixX3d TriangleElement::at(double x, double y) const {
  const std::array<Jet, 3> corner = {Jet{1.0 - x - y, -1.0, -1.0}, Jet{x, 1.0, 0.0},
                                     Jet{y, 0.0, 1.0}};
  Eigen::MatrixX3d values(size(), 3);
  Eigen::Index row = 0;
  const auto put = [&](const Jet& jet) { values.row(row++) << jet.value, jet.dx, jet.dy; };
  for (const Jet& one : corner) put(one);
  for (std::size_t edge = 0; edge < 3; ++edge) {
    const Jet &a = corner[edge], &b = corner[(edge + 1) % 3];
    const auto p = legendre_jets(b + -1.0 * a, order_ - 1);
    for (int n = 0; n < order_ - 1; ++n) put(a * b * p[static_cast<std::size_t>(n)]);
  }
  const Jet bubble = corner[0] * corner[1] * corner[2];
  const auto p = legendre_jets(corner[1] + -1.0 * corner[0], order_);
  const auto q = legendre_jets(2.0 * corner[2] + Jet{-1.0, 0.0, 0.0}, order_);
  for (int m = 0; m < order_ - 2; ++m) {
    for (int n = 0; m + n < order_ - 2; ++n) {
      put(bubble * p[static_cast<std::size_t>(m)] * q[static_cast<std::size_t>(n)]);
    }
  }
  return values;
}

}  // namespace peal::fem

#include <peal/fem/lagrange_tet.h>
#include <peal/fem/symmetric_eigen.h>

#include <Eigen/LU>
#include <cmath>

namespace peal::fem {

namespace {

struct LineRule {
  Eigen::VectorXd points, weights;
};

/// Gauss points for the weight (1 - x)^alpha on [0, 1], alpha = 0, 1, 2 (Golub & Welsch 1969): the
/// eigenvalues of the matrix of the recurrence of Jacobi polynomials.
LineRule gauss_jacobi(int n, int alpha) {
  Eigen::MatrixXd recurrence = Eigen::MatrixXd::Zero(n, n);
  const double a = alpha;
  for (int k = 0; k < n; ++k) {
    const double s = 2.0 * k + a;
    recurrence(k, k) = k == 0 ? -a / (a + 2.0) : -a * a / (s * (s + 2.0));
    if (k == 0) continue;
    const double square = 4.0 * k * (k + a) * k * (k + a) / (s * s * (s + 1.0) * (s - 1.0));
    recurrence(k, k - 1) = recurrence(k - 1, k) = std::sqrt(square);
  }
  const SymmetricEigen eigen = symmetric_eigen(recurrence);
  const double whole = 1.0 / (a + 1.0);  // the weight's integral over [0, 1]
  return {(eigen.values.array() + 1.0) / 2.0,
          whole * eigen.vectors.row(0).transpose().array().square()};
}

double power(double x, int n) {
  double result = 1.0;
  for (int k = 0; k < n; ++k) result *= x;
  return result;
}

}  // namespace

TetQuadrature::TetQuadrature(int n) : points(3, n * n * n), weights(n * n * n) {
  const LineRule a = gauss_jacobi(n, 2), b = gauss_jacobi(n, 1), c = gauss_jacobi(n, 0);
  int q = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k, ++q) {
        const double x = a.points[i], y = b.points[j] * (1.0 - x);
        points.col(q) = Eigen::Vector3d(x, y, c.points[k] * (1.0 - b.points[j]) * (1.0 - x));
        weights[q] = a.weights[i] * b.weights[j] * c.weights[k];
      }
    }
  }
}

LagrangeTet::LagrangeTet(int order) : order_(order) {
  for (int i = 0; i <= order; ++i) {
    for (int j = 0; i + j <= order; ++j) {
      for (int k = 0; i + j + k <= order; ++k) {
        nodes_.push_back({order - i - j - k, i, j, k});
        powers_.push_back({i, j, k});
      }
    }
  }
  const auto n = static_cast<Eigen::Index>(nodes_.size());
  Eigen::MatrixXd vandermonde(n, n);  // monomials (rows) at the nodes (columns)
  for (Eigen::Index column = 0; column < n; ++column) {
    const auto& node = nodes_[column];
    for (Eigen::Index row = 0; row < n; ++row) {
      vandermonde(row, column) = power(double(node[1]) / order, powers_[row][0]) *
                                 power(double(node[2]) / order, powers_[row][1]) *
                                 power(double(node[3]) / order, powers_[row][2]);
    }
  }
  coefficients_ = vandermonde.inverse();
}

Eigen::MatrixXd LagrangeTet::values(const Eigen::Matrix3Xd& points) const {
  Eigen::MatrixXd monomials(powers_.size(), points.cols());
  for (Eigen::Index q = 0; q < points.cols(); ++q) {
    for (std::size_t m = 0; m < powers_.size(); ++m) {
      monomials(m, q) = power(points(0, q), powers_[m][0]) * power(points(1, q), powers_[m][1]) *
                        power(points(2, q), powers_[m][2]);
    }
  }
  return coefficients_ * monomials;
}

Eigen::MatrixXd LagrangeTet::derivatives(const Eigen::Matrix3Xd& points, int axis) const {
  Eigen::MatrixXd monomials(powers_.size(), points.cols());
  for (Eigen::Index q = 0; q < points.cols(); ++q) {
    for (std::size_t m = 0; m < powers_.size(); ++m) {
      double value = powers_[m][axis];
      for (int k = 0; k < 3; ++k) {
        const int exponent = powers_[m][k] - (k == axis ? 1 : 0);
        value *= exponent < 0 ? 0.0 : power(points(k, q), exponent);
      }
      monomials(m, q) = value;
    }
  }
  return coefficients_ * monomials;
}

}  // namespace peal::fem

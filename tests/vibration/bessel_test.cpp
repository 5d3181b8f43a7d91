#include <peal/fem/quadrature.h>
#include <peal/vibration/bessel.h>
#include <peal/vibration/edge_polynomials.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::vibration {
namespace {

TEST(BesselAnalytic, AgreesWithTheStandardLibrary) {
  for (const double x : {1e-6, 0.1, 1.0, 5.5, 30.0, 120.0}) {
    const BesselTable table = bessel_table(60, x, true);
    for (int n = 0; n <= 60; n += 3) {
      const auto i = static_cast<std::size_t>(n);
      EXPECT_NEAR(table.J[i], std::cyl_bessel_j(n, x), 1e-13 + 1e-10 * std::abs(table.J[i]))
          << n << " " << x;
      EXPECT_NEAR(table.scaled_I[i], std::exp(-x) * std::cyl_bessel_i(n, x),
                  1e-15 + 1e-11 * table.scaled_I[i])
          << n << " " << x;
    }
  }
}

TEST(BesselAnalytic, LargeArgumentsDoNotOverflow) {
  const BesselTable table = bessel_table(2, 2000.0, true);
  // Abramowitz & Stegun 9.7.1.
  EXPECT_NEAR(table.scaled_I[0], (1.0 + 1.0 / 16000.0) / std::sqrt(4000.0 * M_PI), 1e-9);
}

TEST(QuadratureAnalytic, IsExactForPolynomials) {
  const fem::Quadrature rule = fem::gauss_legendre(7);
  double sum = 0.0;
  for (std::size_t i = 0; i < 7; ++i) sum += rule.weights[i] * std::pow(rule.points[i], 12);
  EXPECT_NEAR(sum, 2.0 / 13.0, 1e-15);
}

TEST(EdgePolynomials, AreOrthonormalAndVanishAtTheEdges) {
  const EdgePolynomials basis(2, 1, 20);
  const fem::Quadrature rule = fem::gauss_legendre(30);
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(20, 20);
  for (std::size_t i = 0; i < rule.points.size(); ++i) {
    const Eigen::VectorXd f = basis.at(rule.points[i]).col(0).cast<double>();
    gram += rule.weights[i] * f * f.transpose();
  }
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(20, 20)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(basis.at(-1.0).leftCols(2).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LT(basis.at(1.0).col(0).cwiseAbs().maxCoeff(), 1e-12);
  // Derivatives against central differences.
  const double h = 1e-5;
  const EdgePolynomials::Columns here = basis.at(0.3), up = basis.at(0.3 + h),
                                 down = basis.at(0.3 - h);
  EXPECT_LT((here.col(1) - (up.col(0) - down.col(0)) / (2 * h)).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((here.col(2) - (up.col(1) - down.col(1)) / (2 * h)).cwiseAbs().maxCoeff(), 1e-3);
}

}  // namespace
}  // namespace peal::vibration

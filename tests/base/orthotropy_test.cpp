#include <peal/base/orthotropy.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::base {
namespace {

TEST(Orthotropy, IndentationOfAnIsotropicSolidIsHertzs) {
  constexpr double E = 10e9, nu = 0.3, G = E / (2.0 * (1.0 + nu));
  const Orthotropy equal{
      .young_moduli = {E, E, E}, .shear_moduli = {G, G, G}, .poisson_ratios = {nu, nu, nu}};
  for (int normal = 0; normal < 3; ++normal)
    EXPECT_NEAR(indentation_modulus(equal, normal) * (1.0 - nu * nu) / E, 1.0, 1e-12);
}

TEST(Orthotropy, IndentationAlongAnAxisOfSymmetryIsExact) {
  // The same in all directions across L: M = 2 sqrt((c_11 c_33 - c_13^2) / c_11 / (1 / c_44 + 2 /
  // (sqrt(c_11 c_33) + c_13))), with the symmetry along 3.
  const double across = 1e9, poisson = 0.45;
  const Orthotropy fibres{
      .young_moduli = {12e9, across, across},
      .shear_moduli = {0.8e9, 0.8e9, across / (2.0 * (1.0 + poisson))},
      .poisson_ratios = {0.35, 0.35, poisson},
  };
  const auto c = stiffness(fibres);
  const double c33 = c(0, 0), c11 = c(4, 4), c13 = c(0, 4), c44 = c(1, 1);
  const double exact = 2.0 * std::sqrt((c11 * c33 - c13 * c13) / c11 /
                                       (1.0 / c44 + 2.0 / (std::sqrt(c11 * c33) + c13)));
  EXPECT_NEAR(indentation_modulus(fibres, 0) / exact, 1.0, 1e-7);
  EXPECT_NEAR(indentation_modulus(fibres, 1) / indentation_modulus(fibres, 2), 1.0, 1e-9);
}

}  // namespace
}  // namespace peal::base

#include <peal/base/orthotropy.h>
#include <peal/fem/elasticity.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

namespace peal::fem {
namespace {

using geometry::Mat3;
using geometry::Vec3;

constexpr double E = 10e9, nu = 0.3, G = E / (2.0 * (1.0 + nu));

base::Material isotropic() {
  return {.density = 500.0, .young_modulus = E, .poisson_ratio = nu};
}
base::Material as_wood() {
  base::Material material = isotropic();
  material.orthotropy = base::Orthotropy{
      .young_moduli = {E, E, E}, .shear_moduli = {G, G, G}, .poisson_ratios = {nu, nu, nu}};
  material.orthotropy->grain = Vec3(1, 2, -1).normalized();
  material.orthotropy->radial = Vec3(1, 0, 1).normalized();
  return material;
}
base::Material spruce() {
  base::Material material = isotropic();
  material.orthotropy = base::Orthotropy{.young_moduli = {12e9, 0.9e9, 0.5e9},
                                         .shear_moduli = {0.75e9, 0.7e9, 0.04e9},
                                         .poisson_ratios = {0.37, 0.47, 0.43}};
  return material;
}

TEST(Elasticity, EqualConstantsAreIsotropicInAnyDirection) {
  const Elasticity plain(isotropic()), wood(as_wood());
  const std::array<double, 9> products = {0.3, -1.0, 0.2, 0.7, 2.0, -0.4, 0.1, 0.6, 1.1};
  Mat3 one = Mat3::Zero(), other = Mat3::Zero(), strain;
  plain.add_stiffness(products, one);
  wood.add_stiffness(products, other);
  EXPECT_LT((one - other).norm(), 1e-9 * one.norm());
  strain << 1.0, 0.2, -0.3, 0.2, -0.5, 0.1, -0.3, 0.1, 0.4;
  EXPECT_NEAR(plain.twice_energy(strain), wood.twice_energy(strain),
              1e-9 * plain.twice_energy(strain));
  EXPECT_NEAR(young_modulus_along(as_wood(), Vec3(0.3, -1, 2)), E, 1e-6 * E);
}

TEST(Elasticity, WoodIsStiffAlongItsGrain) {
  EXPECT_NEAR(young_modulus_along(spruce(), Vec3::UnitX()), 12e9, 1.0);
  EXPECT_NEAR(young_modulus_along(spruce(), Vec3::UnitY()), 0.9e9, 1.0);
  EXPECT_NEAR(young_modulus_along(spruce(), Vec3::UnitZ()), 0.5e9, 1.0);
  // 1 / E at 45 degrees between L and R: (1 / E_L + 1 / E_R + 1 / G_LR - 2 nu_LR / E_L) / 4.
  const double inverse = 0.25 * (1 / 12e9 + 1 / 0.9e9 + 1 / 0.75e9 - 2 * 0.37 / 12e9);
  EXPECT_NEAR(young_modulus_along(spruce(), Vec3(1, 1, 0)) * inverse, 1.0, 1e-12);
}

TEST(Elasticity, TheGrainTurnsWithItsDirection) {
  // A pull along the grain, wherever it points, needs the same energy.
  base::Material turned = spruce();
  const Eigen::Quaterniond turn = Eigen::Quaterniond(0.3, 0.8, -0.1, 0.5).normalized();
  turned.orthotropy->grain = turn * Vec3::UnitX();
  turned.orthotropy->radial = turn * Vec3::UnitY();
  Mat3 strain;
  strain << 1.0, 0.2, -0.3, 0.2, -0.5, 0.1, -0.3, 0.1, 0.4;
  const Mat3 R = turn.toRotationMatrix();
  const double plain = Elasticity(spruce()).twice_energy(strain);
  EXPECT_NEAR(Elasticity(turned).twice_energy(R * strain * R.transpose()), plain, 1e-9 * plain);
}

TEST(Elasticity, UnstableConstantsAreToldApart) {
  base::Orthotropy wood = *spruce().orthotropy;
  EXPECT_TRUE(base::is_stable(wood));
  wood.poisson_ratios[2] = 1.5;
  EXPECT_FALSE(base::is_stable(wood));
}

}  // namespace
}  // namespace peal::fem

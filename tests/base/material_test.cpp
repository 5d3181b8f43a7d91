#include <peal/base/material.h>

#include <gtest/gtest.h>

#include <numbers>

namespace peal::base {

namespace {

// References D01 and P-D01: tau = 1 / (pi f tan phi).
TEST(DampingAnalytic, InternalFrictionDecaysInProportionToFrequency) {
  const Damping damping{.internal_friction = 1e-3};
  EXPECT_NEAR(1.0 / damping.decay_rate(200.0), 1.5915494, 1e-6);
  EXPECT_NEAR(1.0 / damping.decay_rate(1000.0), 0.31830989, 1e-7);
  EXPECT_NEAR(1.0 / damping.decay_rate(5000.0), 0.063661977, 1e-8);
}

// Reference P-D01: alpha = 40, beta = 5e-8.
TEST(DampingAnalytic, RayleighTermsAdd) {
  const Damping damping{.mass = 40.0, .stiffness = 5e-8};
  EXPECT_NEAR(damping.decay_rate(330.0), 20.10748, 1e-5);
  EXPECT_NEAR(damping.decay_rate(2200.0), 24.776889, 1e-5);
  EXPECT_NEAR(damping.decay_rate(9000.0), 99.943796, 1e-5);
}

TEST(Damping, InverseStiffnessDampsLowModesMost) {
  const Damping damping{.inverse_stiffness = 8.0 * std::numbers::pi * std::numbers::pi};
  EXPECT_NEAR(damping.decay_rate(1.0), 1.0, 1e-12);
  EXPECT_NEAR(damping.decay_rate(10.0), 0.01, 1e-14);
}

TEST(Damping, BandsHoldUpToTheirEndAndTheLastOneAbove) {
  const Damping damping{.bands = {{100.0, 0.01}, {1000.0, 0.02}}, .external = 3.0};
  EXPECT_DOUBLE_EQ(damping.decay_rate(100.0), std::numbers::pi + 3.0);
  EXPECT_DOUBLE_EQ(damping.decay_rate(101.0), 2.02 * std::numbers::pi + 3.0);
  EXPECT_DOUBLE_EQ(damping.decay_rate(2000.0), 40.0 * std::numbers::pi + 3.0);
}

}  // namespace

}  // namespace peal::base

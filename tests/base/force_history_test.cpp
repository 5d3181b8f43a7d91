#include <peal/base/contact.h>
#include <peal/base/contact_compliance.h>
#include <peal/base/force_history.h>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <numbers>

namespace peal::base {
namespace {

ForceHistory three_steps() {
  return {.start = 0.5, .step = 1e-3, .samples = {{0, 2, 0}, {1, 4, 0}, {0, 0, 3}}};
}

TEST(ForceHistory, MeansOverAnyStepsAddUpToTheImpulse) {
  const ForceHistory history = three_steps();
  EXPECT_NEAR((history.impulse() - Vec3(1e-3, 6e-3, 3e-3)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(history.peak(), std::sqrt(17.0), 1e-6);
  Vec3 sum = Vec3::Zero();
  const double step = 0.37e-3;
  for (int i = -2; i < 12; ++i) sum += step * history.mean(0.5 + step * i, 0.5 + step * (i + 1));
  EXPECT_NEAR((sum - history.impulse()).norm(), 0.0, 1e-15);
  EXPECT_EQ(history.mean(0.4, 0.5).norm(), 0.0);
  EXPECT_EQ(history.mean(0.503, 0.504).norm(), 0.0);
}

TEST(ForceHistory, LongerStepsKeepTheImpulseAndCountTheSameHits) {
  ForceHistory history = three_steps();
  history.samples.push_back(Eigen::Vector3f::Zero());
  history.samples.push_back({5, 0, 0});
  EXPECT_EQ(history.hits(), 2u);
  const ForceHistory coarse = history.coarser(2e-3);
  EXPECT_NEAR(coarse.step, 2e-3, 1e-18);
  EXPECT_EQ(coarse.start, history.start);
  ASSERT_EQ(coarse.samples.size(), 3u);
  EXPECT_NEAR((coarse.impulse() - history.impulse()).norm(), 0.0, 1e-9);
  EXPECT_EQ(history.coarser(0.5e-3).samples.size(), history.samples.size());
}

TEST(ForceHistory, LosesOnlyItsZeros) {
  ForceHistory history = three_steps();
  history.samples.insert(history.samples.begin(), 2, Eigen::Vector3f::Zero());
  history.samples.insert(history.samples.begin() + 3, Eigen::Vector3f::Zero());
  history.samples.resize(8, Eigen::Vector3f::Zero());
  const Vec3 impulse = history.impulse();
  history.trim();
  EXPECT_EQ(history.samples.size(), 4u);
  EXPECT_NEAR(history.start, 0.502, 1e-12);
  EXPECT_EQ(history.impulse(), impulse);
}

TEST(ForceHistory, TurnsIntoAnotherFrame) {
  const geometry::Quat quarter(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitZ()));
  const ForceHistory turned = three_steps().rotated(quarter, -1.0);
  EXPECT_NEAR((turned.impulse() - Vec3(6e-3, -1e-3, -3e-3)).norm(), 0.0, 1e-9);
  const ContactForce force =
      contact_force(std::make_shared<const ForceHistory>(turned), Vec3(0, 0, 1));
  EXPECT_NEAR((force.pulse.impulse * force.direction - turned.impulse()).norm(), 0.0, 1e-12);
  EXPECT_EQ(force.pulse.start, 0.5);
  EXPECT_NEAR(force.pulse.contact_time, 3e-3, 1e-15);
}

TEST(ConstantDrive, SolvesItsEquationForLongAndShortSteps) {
  const std::complex<double> s(-40.0, 3000.0);
  for (const double time : {1e-9, 3e-7, 1e-4, 0.02}) {
    const ConstantDrive whole(s, time), half(s, 0.5 * time);
    EXPECT_NEAR(std::abs(whole.hold - half.hold * half.hold), 0.0, 1e-13);
    EXPECT_NEAR(std::abs(whole.gain - (half.hold * half.gain + half.gain)) / time, 0.0, 1e-13);
    EXPECT_NEAR(std::abs(s * whole.gain + 1.0 - whole.hold), 0.0, 1e-12);
  }
}

TEST(ContactCompliance, TheDensityOfUnknownModesIsThatOfTheTopOctave) {
  // Modes of 1 / kg each, 10 Hz apart: G = 1 / (2 pi 10 Hz) along x.
  std::vector<Mode> modes;
  for (int k = 1; k <= 200; ++k) modes.push_back({.frequency = 10.0 * k - 5.0});
  Eigen::Matrix3Xf gains = Eigen::Matrix3Xf::Zero(3, 200);
  gains.row(0).setOnes();
  const geometry::Mat3 density = unknown_modes(modes, gains, 2.0 * std::numbers::pi * 2000.0);
  EXPECT_NEAR(density(0, 0) * 20.0 * std::numbers::pi, 1.0, 1e-6);
  EXPECT_EQ(density(1, 1), 0.0);
  EXPECT_EQ(unknown_modes(modes, gains, 0.0).norm(), 0.0);
}

TEST(ContactCompliance, AnEndlessPlateMovesAsItsPointMobilitySays) {
  // 3 mm of steel: D = 519 N m, m'' = 23.55 kg/m^2, 8 sqrt(D m'') = 884.6 N s/m.
  const geometry::Mat3 mobility = plate_mobility(Vec3::UnitZ(), 0.003, 2.1e11, 0.3, 7850.0);
  EXPECT_NEAR(1.0 / mobility(2, 2), 884.6, 0.5);
  EXPECT_EQ(mobility(0, 0), 0.0);
}

}  // namespace
}  // namespace peal::base

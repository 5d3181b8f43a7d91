#include <peal/shaders/acceleration_noise.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/accelerations_of.h"

namespace peal::shaders {
namespace {

using base::Vec3;

/// A body of 2 kg, hit at two points.
RigidAcceleration hit_twice() {
  geometry::MassProperties mass{.mass = 2.0, .centre = {0.1, 0, 0}};
  mass.inertia = Vec3(0.1, 0.2, 0.4).asDiagonal();
  return {mass,
          {{{0.01, 2e-4, 0.3}, {0.1, 0.05, 0.0}, {0, 0, 1}},
           {{0.5, 1e-5, 0.1}, {0.1, 0.0, 0.05}, {0, 0, -1}}},
          base::PulseProfile::half_sine};
}

TEST(AccelerationNoise, SpeedsChangeByTheImpulse) {
  const RigidAcceleration body = hit_twice();
  for (const std::int64_t hz : {44100, 200000}) {
    const base::Rate rate{hz};
    Vec3 speed = Vec3::Zero(), turning = Vec3::Zero();
    for (std::int64_t n = 0; n < hz / 4; ++n) {
      speed += rate.step() * body.at({n, rate}).linear;
      turning += rate.step() * body.at({n, rate}).angular;
    }
    EXPECT_NEAR((speed - Vec3(0, 0, 0.15)).norm(), 0.0, 1e-9);
    // (0, 0.05, 0) x (0, 0, 0.3) = (0.015, 0, 0), over 0.1.
    EXPECT_NEAR((turning - Vec3(0.15, 0, 0)).norm(), 0.0, 1e-9);
  }
}

TEST(AccelerationNoise, PointsOfTheSurfaceFollowTheBody) {
  const auto body = std::make_shared<RigidAcceleration>(hit_twice());
  const auto source = std::make_shared<AccelerationNoise>(body);
  const base::SampleTime time{2020, {200000}};  // in the middle of the first impact
  const auto now = body->at(time);
  const std::vector<base::SurfacePoint> points = {
      {.position = {0.1, 0, 0}, .normal = {0, 0, 1}},
      {.position = {0.1, 0.05, 0}, .normal = {0, 0, 1}},
      {.position = {0.1, 0.05, 0}, .normal = {1, 0, 0}}};
  const std::vector<float> acceleration = base::accelerations_of(source, points, time);
  EXPECT_NEAR(acceleration[0], now.linear.z(), 1e-3);
  EXPECT_NEAR(acceleration[1], now.linear.z() + 0.05 * now.angular.x(), 1e-3);
  EXPECT_NEAR(acceleration[2], 0.0, 1e-6);
}

TEST(AccelerationNoise, SoundsOnlyWhileItIsHit) {
  const AccelerationNoise source(std::make_shared<RigidAcceleration>(hit_twice()));
  const base::Rate rate{48000};
  const auto stretches = source.active(rate, {0, 48000});
  ASSERT_EQ(stretches.size(), 2u);
  EXPECT_LE(stretches[0].begin, 480);
  EXPECT_GE(stretches[0].end, 491);
  EXPECT_LT(stretches[0].size(), 20);
  EXPECT_TRUE(source.active(rate, {1000, 2000}).empty());
}

/// A force that lasts, half a sine of the impulse over `length` [s] from 0.01 s on.
base::SustainedForce half_sine_that_lasts(double impulse, double length) {
  base::SustainedForce force{.rate = {96000}, .begin = 960};
  const double count = length * 96000;
  for (int n = 0; n <= static_cast<int>(count); ++n) {
    force.samples.push_back(static_cast<float>(impulse * std::numbers::pi / (2.0 * length) *
                                               std::sin(std::numbers::pi * n / count)));
  }
  force.points.assign(force.samples.size() / base::SustainedForce::point_samples + 2,
                      {.at = {0.1, 0.05, 0}, .direction = {0, 0, 1}});
  return force;
}

TEST(AccelerationNoise, AForceThatLastsActsAsTheSameBlow) {
  const double length = 0.003;
  geometry::MassProperties mass{.mass = 2.0, .centre = {0.1, 0, 0}};
  mass.inertia = Vec3(0.1, 0.2, 0.4).asDiagonal();
  const auto blow = std::make_shared<RigidAcceleration>(
      mass, std::vector<base::ContactForce>{{{0.01, length, 0.3}, {0.1, 0.05, 0.0}, {0, 0, 1}}},
      base::PulseProfile::half_sine);
  const auto sustained = std::make_shared<RigidAcceleration>(
      mass, std::vector<base::ContactForce>(), base::PulseProfile::half_sine,
      std::vector{half_sine_that_lasts(0.3, length)});
  const base::Rate rate{48000};
  const double peak = 0.3 * std::numbers::pi / (2.0 * length) / 2.0;
  for (std::int64_t n = 470; n < 640; ++n) {
    const auto a = blow->at({n, rate}), b = sustained->at({n, rate});
    EXPECT_NEAR((a.linear - b.linear).norm(), 0.0, 2e-3 * peak);
    EXPECT_NEAR((a.angular - b.angular).norm(), 0.0, 2e-3 * peak);
  }
  const auto heard = [&](const std::shared_ptr<RigidAcceleration>& body, base::SampleRange range) {
    return DipoleEnd(body, {base::Vec3::UnitZ(), 0.003 * base::Vec3::UnitX()}, 0.002,
                     2.0 * std::numbers::pi * 1e-6, {})
        .strength(rate, range)
        .samples;
  };
  const auto one = heard(blow, {400, 700}), two = heard(sustained, {400, 700});
  ASSERT_EQ(one.size(), two.size());
  const float loudest = *std::ranges::max_element(one);
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], two[i], 5e-3f * loudest) << i;
  // In pieces the same.
  const auto later = heard(sustained, {550, 700});
  for (std::size_t i = 0; i < later.size(); ++i) {
    EXPECT_NEAR(later[i], two[i + 150], 1e-5f * loudest);
  }
  EXPECT_EQ(AccelerationNoise(sustained).active(rate, {0, 48000}).size(), 1u);
}

TEST(AccelerationNoise, ABlowKnownInItsCourseActsAsThePulseThatItFollows) {
  const double length = 0.0004;
  geometry::MassProperties mass{.mass = 2.0, .centre = {0.1, 0, 0}};
  mass.inertia = Vec3(0.1, 0.2, 0.4).asDiagonal();
  const base::ForcePulse pulse{0.01, length, 0.3};
  auto history = std::make_shared<base::ForceHistory>();
  history->start = pulse.start;
  history->step = length / 500.0;
  for (int n = 0; n < 500; ++n) {
    const double passed = base::pulse_passed(base::PulseProfile::half_sine, (n + 1) / 500.0) -
                          base::pulse_passed(base::PulseProfile::half_sine, n / 500.0);
    history->samples.emplace_back(0.0f, 0.0f,
                                  static_cast<float>(pulse.impulse * passed / history->step));
  }
  const Vec3 at(0.1, 0.05, 0.0);
  const auto one = std::make_shared<RigidAcceleration>(
      mass, std::vector<base::ContactForce>{{pulse, at, {0, 0, 1}}}, base::PulseProfile::half_sine);
  const auto other = std::make_shared<RigidAcceleration>(
      mass, std::vector<base::ContactForce>{base::contact_force(history, at)},
      base::PulseProfile::half_sine);
  const base::Rate rate{48000};
  for (std::int64_t n = 470; n < 520; ++n) {
    const auto a = one->at({n, rate}), b = other->at({n, rate});
    // Of up to 590 m/s^2, in 500 steps of constant force.
    EXPECT_NEAR((a.linear - b.linear).norm(), 0.0, 0.05);
    EXPECT_NEAR((a.angular - b.angular).norm(), 0.0, 0.05);
  }
  // Heard without waves: the filter of the body's size in closed form.
  const RigidAcceleration::Share share{{0, 0, 1}, {0.1, 0, 0}};
  const base::Medium air;
  const base::Signal a = DipoleEnd(one, share, 0.002, 4e-6, air).strength(rate, {0, 1000});
  const base::Signal b = DipoleEnd(other, share, 0.002, 4e-6, air).strength(rate, {0, 1000});
  ASSERT_EQ(a.samples.size(), b.samples.size());
  const float peak = *std::ranges::max_element(a.samples);
  for (std::size_t n = 0; n < a.samples.size(); ++n)
    EXPECT_NEAR(a.samples[n], b.samples[n], 2e-3 * peak) << n;
}

}  // namespace
}  // namespace peal::shaders

#include <peal/shaders/acceleration_noise.h>

#include <gtest/gtest.h>

#include <cmath>

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
  const AccelerationNoise shader(body);
  const base::SampleTime time{2020, {200000}};  // in the middle of the first blow
  const auto now = body->at(time);
  const std::vector<base::SurfacePoint> points = {
      {.position = {0.1, 0, 0}, .normal = {0, 0, 1}},
      {.position = {0.1, 0.05, 0}, .normal = {0, 0, 1}},
      {.position = {0.1, 0.05, 0}, .normal = {1, 0, 0}}};
  std::vector<float> acceleration(3, 1.0f);
  shader.add_acceleration(time, points, acceleration);
  EXPECT_NEAR(acceleration[0] - 1.0, now.linear.z(), 1e-3);
  EXPECT_NEAR(acceleration[1] - 1.0, now.linear.z() + 0.05 * now.angular.x(), 1e-3);
  EXPECT_NEAR(acceleration[2] - 1.0, 0.0, 1e-6);
}

TEST(AccelerationNoise, SoundsOnlyWhileItIsHit) {
  const AccelerationNoise shader(std::make_shared<RigidAcceleration>(hit_twice()));
  const base::Rate rate{48000};
  const auto stretches = shader.sounding(rate, {0, 48000});
  ASSERT_EQ(stretches.size(), 2u);
  EXPECT_LE(stretches[0].begin, 480);
  EXPECT_GE(stretches[0].end, 491);
  EXPECT_LT(stretches[0].size(), 20);
  EXPECT_TRUE(shader.sounding(rate, {1000, 2000}).empty());
}

}  // namespace
}  // namespace peal::shaders

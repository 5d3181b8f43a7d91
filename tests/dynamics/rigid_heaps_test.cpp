#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/rigid_bodies.h"

// Bodies that meet each other, in heaps and on strings.

namespace peal::dynamics {
namespace {

// The pile of the issue in small: after it has settled nothing touches anew, whatever the time.
TEST(RigidWorld, APileOfDiceStaysSilentForAMinute) {
  std::vector<RigidBodySettings> bodies = {floor_of(0.4, 0.5)};
  for (int i = 0; i < 4; ++i) {
    bodies.push_back(box({0.016, 0.016, 0.016}, 0.4, 0.5));
    bodies.back().pose.position = {0.006 * i, 0.03 + 0.03 * i, 0.004 * (i % 2)};
    bodies.back().pose.orientation = Quat(1, 0.2 * i, 0.1, -0.1 * i).normalized();
  }
  RigidWorld world(bodies, {.step = 1.0 / 3000});
  const double energy = world.energy();
  run(world, 3.0);
  EXPECT_LT(world.energy(), energy);
  const std::size_t records = world.log().records.size();
  const double rest = world.rest_impulse();
  run(world, 60.0);
  EXPECT_EQ(world.log().records.size(), records);
  EXPECT_GE((world.rest_impulse() - rest) / 57.0, 0.999 * 4 * 0.05 * earth_gravity)
      << "the floor carries them";
}

TEST(RigidWorldAnalytic, TwoBallsExchangeTheirSpeeds) {
  RigidBodySettings left = ball(0.01, 0.0, 1.0, {-0.1, 0, 0}),
                    right = ball(0.01, 0.0, 1.0, {0, 0, 0});
  left.velocity = {2, 0, 0};
  RigidWorld world({left, right}, {.gravity = Vec3::Zero(), .step = 1.0 / 1000});
  run(world, 0.1);
  EXPECT_NEAR(world.state(0).velocity.norm(), 0.0, 1e-12);
  EXPECT_NEAR(world.state(1).velocity.x(), 2.0, 1e-12);
  ASSERT_EQ(blows(world).size(), 1u);
  EXPECT_NEAR(blows(world)[0].time, 0.04, 1e-12);
  EXPECT_NEAR(blows(world)[0].impulse.norm(), 0.4, 1e-12);
  EXPECT_NEAR((blows(world)[0].point - Vec3(-0.01, 0, 0)).norm(), 0.0, 1e-9);
}

/// Time of one swing to and fro, from the crossings of x = 0 [s].
double swing_time(RigidWorld& world, std::size_t body, int swings) {
  std::vector<double> crossings;
  double last = world.state(body).position.x(), last_time = world.time();
  while (static_cast<int>(crossings.size()) < 2 * swings + 1 && world.time() < 10.0) {
    world.step();
    const double x = world.state(body).position.x();
    if (last * x < 0.0) {
      crossings.push_back(last_time + (world.time() - last_time) * last / (last - x));
    }
    last = x;
    last_time = world.time();
  }
  return (crossings.back() - crossings.front()) / swings;
}

// 2 pi sqrt(I / (m g d)) (1 + a^2 / 16 + 11 a^4 / 3072), on a rod and on a hinge.
TEST(RigidWorldAnalytic, APendulumSwingsInItsTimeAndKeepsItsEnergy) {
  const double length = 0.2, tilt = 0.3, r = 0.02;
  const Vec3 away = length * Vec3(std::sin(tilt), -std::cos(tilt), 0.0);
  const double wide = 1.0 + tilt * tilt / 16.0 + 11.0 * std::pow(tilt, 4) / 3072.0;
  const double simple = 2.0 * pi * std::sqrt(length / earth_gravity) * wide;
  const double stiff = simple * std::sqrt(1.0 + 0.4 * r * r / (length * length));
  for (const bool is_hinge : {false, true}) {
    for (const double rate : {1000.0, 6000.0}) {
      RigidBodySettings bob = ball(r, 0.0, 0.5, away);
      bob.pose.orientation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
      const RigidJoint joint{.body = 0,
                             .at = is_hinge ? Vec3(0, length, 0) : Vec3(Vec3::Zero()),
                             .length = is_hinge ? 0.0 : length};
      RigidWorld world({bob}, {.step = 1.0 / rate, .joints = {joint}});
      const double energy = world.energy();
      EXPECT_NEAR(swing_time(world, 0, 2) / (is_hinge ? stiff : simple), 1.0, 2e-4) << rate;
      EXPECT_NEAR(world.state(0).position.norm(), length, 1e-5) << rate;
      const double swing = 0.2 * earth_gravity * length * (1.0 - std::cos(tilt));
      EXPECT_NEAR(world.energy() - energy, 0.0, 2e-3 * swing) << rate;
    }
  }
}

TEST(RigidWorld, AStringPullsButDoesNotPush) {
  RigidBodySettings bob = ball(0.01, 0.0, 0.5, {0, 0, 0});
  const RigidJoint joint{.body = 0, .to = {0, 0.05, 0}, .length = 0.1, .is_string = true};
  RigidWorld world({bob}, {.joints = {joint}});
  run(world, 0.09);
  EXPECT_NEAR(world.state(0).position.y(), -0.5 * earth_gravity * 0.0081, 2e-4) << "it falls";
  run(world, 1.0);
  EXPECT_NEAR(world.state(0).position.y(), -0.05, 1e-5) << "it hangs";
  EXPECT_LT(world.state(0).velocity.norm(), 0.01);
}

// One pendulum hits another: the shock goes through, and nothing is gained.
TEST(RigidWorldAnalytic, AHangingBallTakesOverTheSpeedOfAnother) {
  std::vector<RigidBodySettings> balls;
  std::vector<RigidJoint> joints;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const double tilt = i == 0 ? -0.3 : 0.0;
    balls.push_back(
        ball(0.01, 0.0, 1.0, {0.0200001 * i + 0.2 * std::sin(tilt), -0.2 * std::cos(tilt), 0}));
    joints.push_back({.body = i, .to = {0.0200001 * i, 0, 0}, .length = 0.2});
  }
  RigidWorld world(balls, {.joints = joints});
  const double energy = world.energy();
  run(world, 0.26);
  ASSERT_EQ(blows(world).size(), 1u);
  const double speed = std::sqrt(2.0 * earth_gravity * 0.2 * (1.0 - std::cos(0.3)));
  EXPECT_NEAR(blows(world)[0].impulse.norm() / (0.2 * speed), 1.0, 1e-3);
  EXPECT_LT(world.state(0).velocity.norm(), 0.02 * speed);
  EXPECT_LE(world.energy(), energy + 1e-6);
}

// Twenty dice: they come to rest, sleep, and are silent; what rolls far away does not wake them.
TEST(RigidWorldSlow, AHeapOfDiceComesToRestWhileABallRollsOn) {
  std::vector<RigidBodySettings> bodies = {floor_of(0.4, 0.4)};
  for (int i = 0; i < 20; ++i) {
    bodies.push_back(box({0.016, 0.016, 0.016}, 0.4, 0.4));
    bodies.back().pose.position = {0.03 * (i % 2) + 0.002 * (i % 3), 0.03 + 0.028 * (i / 4),
                                   0.03 * (i / 2 % 2) + 0.002 * (i % 5)};
    bodies.back().pose.orientation =
        Quat(1, 0.3 * std::sin(i), 0.4 * std::cos(3 * i), 0.2).normalized();
  }
  bodies.push_back(ball(0.02, 0.4, 0.0, {1.0, 0.02, 0}));
  bodies.back().velocity = {0.5, 0, 0};
  bodies.back().angular_velocity = {0, 0, -25};
  RigidWorld world(bodies, {.step = 1.0 / 3000});
  double energy = world.energy();
  const double first = energy;
  while (world.time() < 3.0) {
    world.step();
    EXPECT_LE(world.energy(), energy + 1e-6 * first);
    energy = world.energy();
  }
  const std::size_t records = blows(world).size();
  std::vector<base::Pose> poses;
  for (std::size_t i = 1; i <= 20; ++i) poses.push_back(world.pose(i));
  run(world, 6.0);
  EXPECT_EQ(blows(world).size(), records);
  for (std::size_t i = 1; i <= 20; ++i) {
    EXPECT_EQ(world.pose(i).position, poses[i - 1].position) << i;
  }
  EXPECT_NEAR(world.state(21).velocity.x(), 0.5, 1e-3);
}

// Newton's cradle: balls that touch pass the impact on to the last, one that lies still is left
// still; a long row does, too.
TEST(RigidWorldAnalytic, ARowOfBallsPassesABlowOnToItsLast) {
  for (const auto& [moving, count] : {std::pair{1, 5}, {2, 5}, {1, 20}}) {
    std::vector<RigidBodySettings> balls;
    for (int i = 0; i < count; ++i) balls.push_back(ball(0.01, 0.0, 1.0, {0.02 * i, 0, 0}));
    for (int i = 0; i < moving; ++i) {
      balls[i].pose.position.x() -= 0.1;
      balls[i].velocity = {1, 0, 0};
    }
    RigidWorld world(balls, {.gravity = Vec3::Zero()});
    const double energy = world.energy();
    run(world, 0.2);
    EXPECT_NEAR(world.energy(), energy, 1e-12);
    for (int i = 0; i < count; ++i)
      EXPECT_NEAR(world.state(i).velocity.x(), i >= count - moving ? 1.0 : 0.0, 1e-9) << i;
    // Each contact is in the log once, with the impulse and the speed by which it is heard.
    const auto log = blows(world);
    ASSERT_EQ(log.size(), static_cast<std::size_t>(count - 1));
    double sum = 0.0;
    for (const base::ContactRecord& record : log) {
      EXPECT_NEAR(-record.normal.dot(record.velocity), 1.0, 1e-9);
      sum += record.impulse.norm();
    }
    EXPECT_NEAR(sum, 0.2 * moving * (count - moving), 1e-9);
  }
}

// The same on strings, with balls that lose a little: it comes back, again and again.
TEST(RigidWorld, ACradleSwingsToAndFro) {
  std::vector<RigidBodySettings> balls;
  std::vector<RigidJoint> joints;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const double tilt = i == 0 ? -0.4 : 0.0;
    balls.push_back(
        ball(0.01, 0.0, 0.98, {0.02 * i + 0.2 * std::sin(tilt), -0.2 * std::cos(tilt), 0}));
    joints.push_back({.body = i, .to = {0.02 * i, 0, 0}, .length = 0.2});
  }
  RigidWorld world(balls, {.joints = joints});
  const double first = world.energy();
  std::array<double, 5> farthest{};
  double last = first;
  while (world.time() < 0.6) {  // the last ball rises until 0.45 s
    world.step();
    EXPECT_LE(world.energy(), last + 1e-5 * std::abs(first));
    last = world.energy();
    if (world.time() < 0.3) continue;
    for (std::size_t i = 0; i < 5; ++i)
      farthest[i] = std::max(farthest[i], world.state(i).position.x() - 0.02 * double(i));
  }
  // Four contacts of e = 0.98 leave (0.99)^4 of the speed.
  EXPECT_NEAR(farthest[4] / (0.2 * std::sin(0.4)), std::pow(0.99, 4), 0.01);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(farthest[i], 0.05 * farthest[4]) << i;
}

}  // namespace
}  // namespace peal::dynamics

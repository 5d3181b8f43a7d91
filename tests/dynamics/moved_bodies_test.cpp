#include <peal/dynamics/rigid_world.h>

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/rigid_bodies.h"

/// Bodies that someone else moves, and that meet by resolve_contacts().
namespace peal::dynamics {
namespace {

constexpr double audio_step = 1.0 / 48000;  ///< [s]

struct Guided {
  explicit Guided(const std::vector<RigidBodySettings>& bodies, const RigidSettings& settings = {})
      : gravity(settings.gravity), world(bodies, with_step(settings)) {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].motion) continue;
      frames.push_back(base::mass_frame(bodies[i].mass));
      moved.push_back({world.state(i)});
    }
  }

  static RigidSettings with_step(RigidSettings settings) {
    settings.step = audio_step;
    return settings;
  }

  /// In four pieces an interval, as solids make them; `push` acts on all free bodies [m/s^2].
  void run(double duration, const Vec3& push = Vec3::Zero()) {
    constexpr int pieces = 4;
    const auto intervals = std::llround(duration / audio_step);
    for (long long n = 0; n < intervals; ++n) {
      world.resolve_contacts(moved);
      for (base::MovedBody& body : moved) body.pushed = push.norm();
      for (int piece = 0; piece < pieces; ++piece) {
        for (std::size_t k = 0; k < moved.size(); ++k)
          base::fly(frames[k], gravity + push, audio_step / pieces, moved[k].state);
      }
      for (std::size_t k = 0; k < moved.size(); ++k) {
        const RigidState& state = moved[k].state;
        energy = std::max(energy, base::kinetic_energy(frames[k], state) -
                                      frames[k].mass * gravity.dot(state.position));
        highest = std::max(highest, state.position.y());
      }
    }
  }

  Vec3 gravity;
  RigidWorld world;
  std::vector<MassFrame> frames;
  std::vector<base::MovedBody> moved;
  double energy = -1e9;  ///< of one body, at most [J]
  double highest = -1e9;
};

TEST(RigidJointAnalytic, ABallBouncesToTheSquareOfItsRestitution) {
  const double height = 0.05, fall = std::sqrt(2.0 * height / earth_gravity);
  for (const double radius : {5e-4, 0.02}) {
    for (const double e : {0.0, 0.3, 0.5, 0.9, 1.0}) {
      Guided guided({floor_of(0.4, e), ball(radius, 0.4, e, {0, radius + height, 0})});
      guided.run(fall + 1e-4);
      guided.highest = 0.0;
      guided.run(e * fall + 1e-3);
      EXPECT_NEAR(guided.highest - radius, e * e * height, 1e-4 * height) << radius << ", " << e;
      const auto struck = blows(guided.world);
      ASSERT_EQ(struck.size(), 1u) << e;
      EXPECT_NEAR(struck[0].time, fall, 1e-8);
      EXPECT_NEAR(-struck[0].impulse.y(), 0.2 * (1.0 + e) * earth_gravity * fall, 1e-4);
    }
  }
}

TEST(RigidJointTest, ATinyBallThatBouncesForLongGainsNothing) {
  Guided guided({floor_of(0.4, 1.0), ball(5e-4, 0.4, 1.0, {0, 0.0505, 0})});
  const double start = 0.2 * earth_gravity * 0.0505;
  guided.run(2.0);
  EXPECT_NEAR(guided.energy, start, 1e-6 * start);
  EXPECT_GT(guided.moved[0].state.position.y(), 5e-4);
}

TEST(RigidJointAnalytic, BallsOfARowPassOnTheirVelocity) {
  std::vector<RigidBodySettings> row;
  for (int i = 0; i < 4; ++i) row.push_back(ball(0.01, 0.0, 1.0, {0.02 * i, 0, 0}));
  row[0].pose.position.x() = -0.011;
  row[0].velocity.x() = 2.0;
  Guided guided(row, {.gravity = Vec3::Zero()});
  guided.run(0.01);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(guided.moved[i].state.velocity.norm(), 0.0, 1e-9) << i;
  EXPECT_NEAR(guided.moved[3].state.velocity.x(), 2.0, 1e-9);
  // It met them after 5.5 ms.
  EXPECT_NEAR(guided.moved[0].state.position.x(), 0.0, 1e-9);
  EXPECT_NEAR(guided.moved[3].state.position.x(), 0.06 + 2.0 * 0.0045, 1e-9);
}

TEST(RigidJointTest, ABoxIsHeldByAPostInItsMiddleInAnyOrder) {
  RigidBodySettings post{
      .name = "post", .shape = disc(0.05, 0.1, 1e-3), .motion = std::make_shared<base::Resting>()};
  RigidBodySettings slab = box({0.2, 0.05, 0.2}, 0.4, 0.0);
  slab.pose.position.y() = 0.08;
  for (const bool post_first : {true, false}) {
    Guided guided(post_first ? std::vector{post, slab} : std::vector{slab, post});
    guided.run(0.2);
    EXPECT_NEAR(guided.moved[0].state.position.y(), 0.075, 1e-6);
    EXPECT_LT(guided.moved[0].state.velocity.norm(), 1e-3);
  }
}

TEST(RigidJointTest, AStackOfBoxesRests) {
  RigidBodySettings low = box({0.1, 0.05, 0.1}, 0.4, 0.3), high = low;
  low.pose.position.y() = 0.0251;
  high.pose.position = {0.02, 0.0752, 0.01};
  Guided guided({floor_of(0.4, 0.3), low, high});
  guided.run(0.1);
  const Vec3 before = guided.moved[1].state.position;
  const std::size_t told = guided.world.log().records.size();
  guided.run(0.03);
  EXPECT_LT((guided.moved[1].state.position - before).norm(), 1e-6);
  EXPECT_NEAR(guided.moved[1].state.position.y(), 0.075, 1e-6);
  EXPECT_EQ(guided.world.log().records.size(), told);
}

TEST(RigidJointAnalytic, ABlockSlidesDownASlopeOrStays) {
  const double slope = pi / 6.0;
  for (const double friction : {0.4, 0.585}) {
    RigidBodySettings block = box({0.04, 0.02, 0.04}, friction, 0.0);
    const Quat turned(Eigen::AngleAxisd(-slope, Vec3::UnitZ()));
    block.pose.orientation = turned;
    block.pose.position = turned * Vec3(0, 0.01, 0);
    Guided guided({floor_of(friction, 0.0, slope), block});
    guided.run(0.2);
    const double exact =
        std::max(0.0, earth_gravity * (std::sin(slope) - friction * std::cos(slope)));
    const double way = (guided.moved[0].state.position - block.pose.position).norm();
    EXPECT_NEAR(way, 0.5 * exact * 0.04, 1e-6) << friction;
  }
}

TEST(RigidJointTest, WhatIsPressedOnAFloorStaysThereWithoutBlows) {
  Guided guided({floor_of(0.4, 0.8), ball(0.01, 0.4, 0.8, {0, 0.01, 0})});
  guided.run(0.05, {0, -2000, 0});
  EXPECT_NEAR(guided.moved[0].state.position.y(), 0.01, 3e-6);
  EXPECT_TRUE(blows(guided.world).empty());
  guided.run(0.02);
  EXPECT_NEAR(guided.moved[0].state.position.y(), 0.01, 1e-6);
}

TEST(RigidJointAnalytic, ARodHoldsAPendulum) {
  RigidBodySettings bob = ball(0.01, 0.0, 0.5, {0.02, 0, 0});
  const Vec3 pivot(0, 0.5, 0);
  const double length = (bob.pose.position - pivot).norm();
  Guided guided({bob}, {.joints = {{.body = 0, .to = pivot, .length = length}}});
  const double swing = std::asin(0.02 / length);
  const double period = 2.0 * pi * std::sqrt(length / earth_gravity) * (1.0 + swing * swing / 16.0);
  guided.run(0.5 * period);
  EXPECT_NEAR(guided.moved[0].state.position.x(), -0.02, 2e-6);
  EXPECT_NEAR((guided.moved[0].state.position - pivot).norm(), length, 1e-8);
}

TEST(RigidJointTest, WhatIsKeptGoesOnAsItWouldHave) {
  RigidBodySettings low = box({0.02, 0.02, 0.02}, 0.4, 0.3), high = low, still = low;
  low.pose.position.y() = 0.012;
  low.pose.orientation = Quat(Eigen::AngleAxisd(0.05, Vec3(1, 1, 1).normalized()));
  high.pose.position = {0.004, 0.035, 0.002};
  still.pose.position = {0.1, 0.01, 0};
  const std::vector<RigidBodySettings> bodies = {floor_of(0.4, 0.3), low, high, still};
  Guided one(bodies), other(bodies);
  one.run(0.21);
  util::Archive written;
  one.world.serialize(written);
  util::Archive read(written.written());
  other.world.serialize(read);
  EXPECT_TRUE(read.left().empty());
  other.moved = one.moved;
  for (Guided* guided : {&one, &other}) {
    guided->moved[2].pushed = 1.0;  // wakes it
    guided->run(0.05);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(one.moved[k].state.position, other.moved[k].state.position) << k;
    EXPECT_EQ(one.moved[k].state.angular_momentum, other.moved[k].state.angular_momentum) << k;
  }
  EXPECT_GT(blows(one.world).size(), 3u);
  ASSERT_EQ(one.world.log().records.size(), other.world.log().records.size());
  EXPECT_EQ(one.world.log().records.back().impulse, other.world.log().records.back().impulse);
  EXPECT_EQ(one.world.rest_impulse(), other.world.rest_impulse());
}

}  // namespace
}  // namespace peal::dynamics

#include <peal/dynamics/simulated_motion.h>

#include <gtest/gtest.h>

#include <cmath>

namespace peal::dynamics {
namespace {

TEST(SimulatedMotion, FollowsTheBodyFromImpactToImpact) {
  RigidBodySettings ground{.name = "floor",
                           .shape = scene::FloorShape{},
                           .restitution = 0.5,
                           .motion = std::make_shared<base::Resting>()};
  RigidBodySettings dropped{.name = "ball", .shape = scene::BallShape{0.01}, .restitution = 0.5};
  dropped.mass = {.mass = 0.1, .inertia = 4e-6 * Mat3::Identity()};
  dropped.pose.position = {0, 0.11, 0};
  util::Silent silent;
  const RigidSimulation done = simulate({ground, dropped}, {.step = 1.0 / 1000}, 2.0, silent);
  ASSERT_EQ(done.motions.size(), 2u);
  EXPECT_EQ(done.log.bodies, (std::vector<std::string>{"floor", "ball"}));
  const double hit = std::sqrt(2.0 * 0.1 / 9.81), speed = 9.81 * hit;
  ASSERT_FALSE(done.motions[1]->kinks().empty());
  EXPECT_NEAR(done.motions[1]->kinks()[0], hit, 1e-9);
  const base::Motion& path = *done.motions[1];
  EXPECT_NEAR(path.pose(0.1).position.y(), 0.11 - 0.5 * 9.81 * 0.01, 1e-5);
  EXPECT_NEAR(path.pose(hit).position.y(), 0.01, 1e-9);
  EXPECT_NEAR(path.pose(hit + 0.05).position.y(), 0.01 + 0.5 * speed * 0.05 - 0.5 * 9.81 * 0.0025,
              1e-5);
  EXPECT_NEAR(path.pose(5.0).position.y(), 0.01, 1e-6) << "at rest after the end";
  EXPECT_NEAR(path.pose(-1.0).position.y(), 0.11, 1e-12);
}

}  // namespace
}  // namespace peal::dynamics

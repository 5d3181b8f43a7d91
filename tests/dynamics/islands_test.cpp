#include <peal/dynamics/contact_cache.h>
#include <peal/dynamics/islands.h>

#include <gtest/gtest.h>

#include "dynamics/rigid_bodies.h"

/// Which bodies are solved for together, and what contacts start from.
namespace peal::dynamics {
namespace {

constexpr double one_step = 1.0 / 6000;  ///< [s]

/// Balls of 1 cm radius on a line, at these positions [m].
RigidBodies balls_at(const std::vector<double>& positions, bool with_floor = true) {
  std::vector<RigidBodySettings> bodies;
  for (const double x : positions) bodies.push_back(ball(0.01, 0.4, 0.5, {x, 0.01005, 0}));
  if (with_floor) bodies.push_back(floor_of(0.4, 0.5));
  return {std::move(bodies), {.step = one_step}};
}

std::vector<Island> islands_of(const RigidBodies& bodies, std::span<const RigidJoint> joints = {}) {
  return find_islands(bodies, candidate_pairs(bodies, one_step), joints);
}

TEST(Islands, BodiesThatShareOnlyTheFloorAreSolvedForApart) {
  const RigidBodies bodies = balls_at({0.0, 0.0201, 0.1});
  const std::vector<Island> islands = islands_of(bodies);
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(islands[0].bodies, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(islands[0].pairs.size(), 3u) << "with each other, and each with the floor";
  EXPECT_EQ(islands[1].bodies, (std::vector<std::uint32_t>{2}));
  EXPECT_FALSE(islands[0].is_driven);
}

TEST(Islands, JointsConnectBodiesThatAreFarApart) {
  const RigidBodies bodies = balls_at({0.0, 0.1, 0.2}, false);
  const std::vector<RigidJoint> joints = {{.body = 2, .other = 0u, .length = 0.2}};
  const std::vector<Island> islands = islands_of(bodies, joints);
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(islands[0].bodies, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(islands[0].joints, (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(islands[1].joints.empty());
}

TEST(Islands, BodiesThatDoNotExistAreInNone) {
  RigidBodies bodies = balls_at({0.0, 0.0201});
  bodies[1].is_there = false;
  const std::vector<Island> islands = islands_of(bodies);
  ASSERT_EQ(islands.size(), 1u);
  EXPECT_EQ(islands[0].bodies, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(islands[0].pairs.size(), 1u);
}

TEST(BroadPhase, FastBodiesAreCandidatesFromFartherAway) {
  RigidBodies bodies = balls_at({0.0, 0.03}, false);
  EXPECT_TRUE(candidate_pairs(bodies, one_step).empty());
  bodies[0].state.velocity = {40, 0, 0};  // 7 mm in a step
  EXPECT_EQ(candidate_pairs(bodies, one_step).size(), 1u);
}

TEST(ContactCache, FindsTheContactOfTheLastStepThatIsNearWithTheSameNormal) {
  const double size = 0.01, now = 0.5;
  const std::uint64_t key = pair_key(0, 1) | 7;
  const std::vector<BodyPair> pairs = {{0, 1}};
  ContactCache cache;
  cache.replace(pairs, std::vector<CachedContact>{{.key = key,
                                                   .normal = Vec3::UnitY(),
                                                   .impulse = {0, 1, 0},
                                                   .duration = one_step,
                                                   .until = now}});
  const ContactPoint same{.body_a = 0, .body_b = 1, .key = key, .point = {1, 0, 0}};
  ContactPoint rolled{.body_a = 0, .body_b = 1, .key = key + 1, .point = {0.0004, 0, 0}};
  EXPECT_NE(cache.find(same, now, size), nullptr) << "the same feature, wherever it is";
  EXPECT_EQ(cache.find(same, now + one_step, size), nullptr) << "of a step before the last";
  EXPECT_NE(cache.find(rolled, now, size), nullptr) << "the nearest";
  rolled.normal = Vec3::UnitX();
  EXPECT_EQ(cache.find(rolled, now, size), nullptr);
  cache.replace(pairs, {});
  EXPECT_EQ(cache.find(same, now, size), nullptr);
}

}  // namespace
}  // namespace peal::dynamics

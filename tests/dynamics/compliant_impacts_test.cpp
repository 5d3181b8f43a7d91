#include <peal/dynamics/rigid_world.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "dynamics/rigid_bodies.h"

namespace peal::dynamics {
namespace {

/// A law that gives each contact twice the impulse that stops it, as without loss, for 1 ms, and
/// tells what it was asked.
class Elastic : public base::ImpactLaw {
 public:
  explicit Elastic(bool answers) : answers_(answers) {}

  bool matters(std::span<const base::ImpactBody>, std::span<const base::ImpactContact>,
               double) const override {
    return answers_;
  }
  double reach(std::uint32_t, std::uint32_t, double) const override { return 0.003; }
  base::ImpactOutcome strike(std::span<const base::ImpactBody> bodies,
                             std::span<const base::ImpactContact> touches, double time) override {
    ++strikes;
    most_touches = std::max(most_touches, touches.size());
    base::ImpactOutcome outcome{.start = time, .end = time + 1e-3};
    outcome.bodies.resize(bodies.size());
    for (const base::ImpactContact& touch : touches) {
      const base::ImpactBody &a = bodies[touch.a], &b = bodies[touch.b];
      const Vec3 velocity = a.velocity_at(touch.point) - b.velocity_at(touch.point);
      const double speed = -touch.normal.dot(velocity);
      const Vec3 impulse =
          std::max(2.0 * speed / (a.inverse_mass + b.inverse_mass), 0.0) * touch.normal;
      outcome.touches.push_back(
          {.impulse = impulse,
           .speed = speed,
           .hits = 1,
           .force = {.start = time, .step = 1e-3, .samples = {(1e3 * impulse).cast<float>()}}});
    }
    return outcome;
  }
  void serialize(util::Archive& archive) override { archive.number(strikes); }

  int strikes = 0;
  std::size_t most_touches = 0;

 private:
  bool answers_;
};

RigidSettings with_law(std::shared_ptr<base::ImpactLaw> law) {
  RigidSettings settings;
  settings.law = std::move(law);
  return settings;
}

std::vector<RigidBodySettings> tumbling_box() {
  std::vector<RigidBodySettings> bodies = {floor_of(0.3, 0.5), box({0.05, 0.02, 0.03}, 0.3, 0.5)};
  bodies[1].pose.position = {0, 0.1, 0};
  bodies[1].pose.orientation = Quat(Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()));
  bodies[1].angular_velocity = {3, 1, -5};
  return bodies;
}

TEST(CompliantImpacts, ALawThatDoesNotMatterChangesNoBit) {
  RigidWorld without(tumbling_box(), {});
  RigidWorld with(tumbling_box(), with_law(std::make_shared<Elastic>(false)));
  run(without, 0.6);
  run(with, 0.6);
  ASSERT_EQ(with.log().records.size(), without.log().records.size());
  ASSERT_GT(with.log().records.size(), 10u);
  for (std::size_t i = 0; i < with.log().records.size(); ++i) {
    const base::ContactRecord &a = with.log().records[i], &b = without.log().records[i];
    ASSERT_EQ(a.time, b.time);
    ASSERT_EQ(a.impulse, b.impulse);
    ASSERT_EQ(a.velocity, b.velocity);
    ASSERT_EQ(a.force, nullptr);
  }
  EXPECT_EQ(with.pose(1).position, without.pose(1).position);
}

TEST(CompliantImpacts, TheLawSaysHowBodiesPartAndTheLogHasItsForce) {
  const auto law = std::make_shared<Elastic>(true);
  std::vector<RigidBodySettings> bodies = {floor_of(0.0, 0.3), ball(0.02, 0.0, 0.3, {0, 0.12, 0})};
  RigidWorld world(std::move(bodies), with_law(law));
  run(world, 0.5);
  const auto impacts = blows(world);
  ASSERT_EQ(impacts.size(), 2u);  // a flight of 0.143 s down, and twice that
  EXPECT_EQ(law->strikes, 2);
  const double speed = std::sqrt(2.0 * earth_gravity * 0.1);
  for (const base::ContactRecord& impact : impacts) {
    EXPECT_NEAR(impact.impulse.norm(), 2.0 * 0.2 * speed, 1e-6);
    EXPECT_NEAR(impact.normal.dot(impact.velocity), -speed, 1e-6);
    ASSERT_TRUE(impact.force);
    EXPECT_EQ(impact.force->impulse(), impact.impulse);
    EXPECT_EQ(impact.force->start, impact.time);
  }
  EXPECT_NEAR(world.energy(), 0.2 * earth_gravity * 0.12, 1e-6);
}

TEST(CompliantImpacts, CornersThatAreAboutToMeetBelongToTheImpact) {
  const auto law = std::make_shared<Elastic>(true);
  std::vector<RigidBodySettings> bodies = {floor_of(0.0, 0.5), box({0.05, 0.01, 0.04}, 0.0, 0.5)};
  bodies[1].pose.position = {0, 0.05, 0};
  bodies[1].pose.orientation = Quat(Eigen::AngleAxisd(0.03, Vec3::UnitZ()));  // 1.5 mm
  RigidWorld world(std::move(bodies), with_law(law));
  while (law->strikes == 0 && world.time() < 0.2) world.step();
  EXPECT_EQ(law->most_touches, 4u);
}

TEST(CompliantImpacts, CheckpointsHoldTheStateOfTheLaw) {
  const auto law = std::make_shared<Elastic>(true), other = std::make_shared<Elastic>(true);
  const auto bodies = [] {
    return std::vector<RigidBodySettings>{floor_of(0.0, 0.3), ball(0.02, 0.0, 0.3, {0, 0.12, 0})};
  };
  RigidWorld world(bodies(), with_law(law)), again(bodies(), with_law(other));
  run(world, 0.2);
  ASSERT_EQ(law->strikes, 1);
  util::Archive written;
  world.serialize(written);
  util::Archive read(written.written());
  again.serialize(read);
  EXPECT_EQ(other->strikes, 1);
  ASSERT_EQ(again.log().records.size(), 1u);
  ASSERT_TRUE(again.log().records[0].force);
  EXPECT_EQ(again.log().records[0].force->samples, world.log().records[0].force->samples);
}

}  // namespace
}  // namespace peal::dynamics

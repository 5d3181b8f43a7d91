#include <peal/contact/events.h>
#include <peal/dynamics/bullet_world.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "dynamics/rigid_bodies.h"

// Bullet as it is used here: what it must do as the smooth solver does, if not to rounding.

namespace peal::dynamics {
namespace {

using scene::Solver;

/// A heap of dice or, every third, coins.
std::vector<RigidBodySettings> dice_and_coins(int count) {
  std::vector<RigidBodySettings> bodies = {floor_of(0.4, 0.5)};
  const double r = 0.012, h = 0.0017, m = 0.006, across = m * (3.0 * r * r + h * h) / 12.0;
  for (int i = 0; i < count; ++i) {
    RigidBodySettings body = box({0.016, 0.016, 0.016}, 0.4, 0.5);
    if (i % 3 == 2) {
      body.shape = disc(r, h, 2e-4);
      body.mass = mass_of(m, {across, 0.5 * m * r * r, across});
      body.rolling_resistance = 0.01;
    }
    body.name = "body " + std::to_string(i);
    body.pose.position = {0.03 * (i % 2) + 0.002 * (i % 3), 0.03 + 0.03 * (i / 2), 0.003 * (i % 4)};
    body.pose.orientation = Quat(1, 0.3 * std::sin(i), 0.4 * std::cos(3 * i), 0.2).normalized();
    bodies.push_back(body);
  }
  return bodies;
}

// References R01 and P-R03, as events: within 1 % and 2 % at every step, as the smooth solver must.
TEST(BulletWorldAnalytic, BouncesComeInTimeAndWithTheirImpulse) {
  struct Drop {
    double height, restitution;
  };
  for (const Drop& drop : {Drop{1.0, 0.8}, Drop{0.25, 0.6}}) {
    for (const double rate : {240.0, 1000.0, 6000.0, 48000.0}) {
      const double fall = std::sqrt(2.0 * drop.height / earth_gravity);
      BulletWorld world({floor_of(0.0, drop.restitution),
                         ball(0.02, 0.0, drop.restitution, {0, drop.height + 0.02, 0})},
                        {.step = 1.0 / rate});
      const double energy = world.energy();
      run(world, fall * 5.7);
      const auto impacts = contact::contact_events(world.log()).impacts;
      ASSERT_GE(impacts.size(), 4u) << rate;
      // At 1/6000 s it is far better than that.
      const double finer = rate < 6000.0 ? 1.0 : 0.02;
      double time = fall, speed = earth_gravity * fall;
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(impacts[i].time / time, 1.0, 0.01 * finer) << rate << ' ' << i;
        const double impulse = 0.2 * speed * (1.0 + drop.restitution);
        EXPECT_NEAR(impacts[i].impulse.norm() / impulse, 1.0, 0.02 * finer) << rate << ' ' << i;
        EXPECT_GT(impacts[i].normal.y() * (impacts[i].body_a == 0 ? -1 : 1), 0.999);
        speed *= drop.restitution;
        time += 2.0 * speed / earth_gravity;
      }
      EXPECT_LE(world.energy(), energy);
    }
  }
}

TEST(BulletWorld, RestitutionOfZeroAndOneBothWork) {
  BulletWorld dead({floor_of(0.0, 0.0), ball(0.02, 0.0, 0.0, {0, 0.52, 0})}, {});
  run(dead, 1.0);
  EXPECT_EQ(blows(dead).size(), 1u);
  EXPECT_NEAR(dead.pose(1).position.y(), 0.02, 1e-6);
  EXPECT_LT(dead.velocity(1).norm(), 2e-3);

  BulletWorld lively({floor_of(0.0, 1.0), ball(0.02, 0.0, 1.0, {0, 0.52, 0})}, {});
  const double energy = lively.energy();
  run(lively, 3.0);
  EXPECT_NEAR(lively.energy() / energy, 1.0, 1e-4);
  EXPECT_EQ(blows(lively).size(), 5u);
}

// Reference R02.
TEST(BulletWorldAnalytic, ASlidingBallComesToRoll) {
  RigidBodySettings slid = ball(0.05, 0.3, 0.0, {0, 0.05, 0});
  slid.velocity = {2, 0, 0};
  BulletWorld world({floor_of(0.3, 0.0), slid}, {});
  run(world, 0.194165331780011);
  EXPECT_NEAR(world.pose(1).position.x(), 0.332854854480018, 0.002 * 0.33);
  run(world, 0.5);
  EXPECT_NEAR(world.velocity(1).x(), 1.42857142857143, 1e-5);
  EXPECT_NEAR(world.angular_velocity(1).z(), -1.42857142857143 / 0.05, 1e-3);
  const base::ContactRecord& last = world.log().records.back();
  EXPECT_NEAR(last.time, 0.5, 1e-3) << "rolling is told of";
  EXPECT_NEAR(last.rolling, 1.42857, 0.01);
  EXPECT_LT((last.velocity - last.normal * last.normal.dot(last.velocity)).norm(), 1e-4);
}

// Reference R03.
TEST(BulletWorldAnalytic, ABlockSlidesDownASlopeOrStays) {
  const double slope = pi / 6.0;
  for (const double friction : {0.4, 0.57, 0.585}) {
    RigidBodySettings block = box({0.04, 0.02, 0.04}, friction, 0.0);
    const Quat turned(Eigen::AngleAxisd(-slope, Vec3::UnitZ()));
    block.pose.orientation = turned;
    block.pose.position = turned * Vec3(0, 0.01, 0);
    BulletWorld world({floor_of(friction, 0.0, slope), block}, {});
    run(world, 0.5);
    const double exact =
        std::max(0.0, earth_gravity * (std::sin(slope) - friction * std::cos(slope)));
    const double way = (world.pose(1).position - block.pose.position).norm();
    EXPECT_NEAR(way, 0.5 * exact * 0.25, 1e-5) << friction;
  }
}

TEST(BulletWorld, TumblingBoxesDoNotGainEnergy) {
  for (const double friction : {0.0, 0.4}) {
    for (const double restitution : {0.3, 0.8}) {
      RigidBodySettings die = box({0.02, 0.03, 0.05}, friction, restitution);
      die.pose.position = {0, 0.15, 0};
      die.pose.orientation = Quat(1, 0.3, -0.2, 0.5).normalized();
      die.velocity = {0.4, 0, 0.2};
      die.angular_velocity = {20, -7, 11};
      BulletWorld world({floor_of(friction, restitution), die}, {});
      const double first = world.energy();
      double grown = 0.0;
      while (world.time() < 1.0) {
        world.step();
        grown = std::max(grown, world.energy() - first);
      }
      EXPECT_LE(grown, 1e-3 * first) << friction << ' ' << restitution;
      EXPECT_GT(blows(world).size(), 3u);
    }
  }
}

// The cross-check: until chaos sets in, the two solvers tell the same.
TEST(RigidSolver, BothAgreeOnTheFirstImpacts) {
  std::vector<RigidBodySettings> bodies = {floor_of(0.4, 0.5)};
  const auto add = [&](RigidBodySettings body, const char* name, const Vec3& at) {
    body.name = name;
    body.pose.position = at;
    body.pose.orientation = Quat(1, 0.25, 0.4, -0.15).normalized();
    bodies.push_back(body);
  };
  add(box({0.02, 0.02, 0.02}, 0.4, 0.6), "die", {0, 0.1, 0});
  add(ball(0.01, 0.4, 0.6, {}), "ball", {0.003, 0.14, 0.002});  // falls on the die
  RigidBodySettings coin{.name = "coin", .shape = disc(0.012, 0.002, 2e-4)};
  coin.mass = mass_of(0.006, {2.2e-7, 4.3e-7, 2.2e-7});
  add(coin, "coin", {0.2, 0.1, 0});
  RigidBodySettings cup{.name = "cup"};
  cup.shape = scene::TurnedShape{
      {{0, 0}, {0.03, 0}, {0.03, 0.06}, {0.027, 0.06}, {0.027, 0.003}, {0, 0.003}}, 5e-4};
  cup.mass = mass_of(0.1, {8e-5, 6e-5, 8e-5});
  cup.mass.centre = {0, 0.024, 0};
  add(cup, "cup", {0.5, 0.15, 0});

  std::array<std::vector<base::Impact>, 2> found;
  for (const Solver solver : {Solver::smooth, Solver::bullet}) {
    const auto world = make_rigid_solver(bodies, {.solver = solver});
    run(*world, 0.25);
    found[solver == Solver::bullet] = contact::contact_events(world->log()).impacts;
  }
  const auto first = [&](int solver, std::uint32_t a, std::uint32_t b) {
    const auto impact = std::ranges::find_if(
        found[solver], [&](const auto& one) { return one.body_a == a && one.body_b == b; });
    EXPECT_NE(impact, found[solver].end()) << bodies[a].name << ' ' << bodies[b].name;
    return impact == found[solver].end() ? base::Impact{} : *impact;
  };
  for (const auto& [a, b] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 3), std::pair(0, 4)}) {
    const base::Impact smooth = first(0, a, b), bullet = first(1, a, b);
    EXPECT_NEAR(bullet.time, smooth.time, 5e-5) << a << b;
    EXPECT_LT((bullet.impulse - smooth.impulse).norm(), 0.01 * smooth.impulse.norm()) << a << b;
    EXPECT_LT((bullet.point - smooth.point).norm(), 3e-4) << a << b;
    EXPECT_NEAR(bullet.speed / smooth.speed, 1.0, 0.01) << a << b;
  }
}

TEST(BulletWorld, APileComesToRestAndIsSilent) {
  const std::vector<RigidBodySettings> bodies = dice_and_coins(9);
  BulletWorld world(bodies, {.step = 1.0 / 3000});
  const double first = world.energy();
  double energy = first, weight = 0.0;
  while (world.time() < 2.0) {
    world.step();
    EXPECT_LE(world.energy(), energy + 1e-4 * first);
    energy = world.energy();
  }
  const std::size_t records = world.log().records.size();
  const double rest = world.rest_impulse();
  run(world, 60.0);
  EXPECT_EQ(world.log().records.size(), records);
  for (std::size_t i = 1; i < bodies.size(); ++i) weight += bodies[i].mass.mass * earth_gravity;
  EXPECT_GE((world.rest_impulse() - rest) / 58.0, 0.99 * weight) << "the floor carries them";
}

TEST(BulletWorld, TheSameComesOutEveryTime) {
  const auto records = [] {
    BulletWorld world(dice_and_coins(8), {.step = 1.0 / 2000});
    run(world, 0.4);
    return world.log().records;
  };
  const auto one = records(), other = records();
  ASSERT_GT(one.size(), 100u);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].time, other[i].time);
    EXPECT_EQ(one[i].impulse, other[i].impulse);
    EXPECT_EQ(one[i].point, other[i].point);
    EXPECT_LE(one[i == 0 ? 0 : i - 1].time, one[i].time);
  }
}

TEST(BulletWorldAnalytic, APendulumSwingsInItsTimeOnARodAndOnAHinge) {
  const double length = 0.2, tilt = 0.3, r = 0.02;
  const double wide = 1.0 + tilt * tilt / 16.0 + 11.0 * std::pow(tilt, 4) / 3072.0;
  const double simple = 2.0 * pi * std::sqrt(length / earth_gravity) * wide;
  for (const bool is_hinge : {false, true}) {
    RigidBodySettings bob = ball(r, 0.0, 0.5, length * Vec3(std::sin(tilt), -std::cos(tilt), 0.0));
    bob.pose.orientation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
    const RigidJoint joint{.body = 0,
                           .at = is_hinge ? Vec3(0, length, 0) : Vec3(Vec3::Zero()),
                           .length = is_hinge ? 0.0 : length};
    BulletWorld world({bob}, {.joints = {joint}});
    const double stiff = is_hinge ? std::sqrt(1.0 + 0.4 * r * r / (length * length)) : 1.0;
    run(world, 0.75 * simple * stiff);
    EXPECT_NEAR(world.pose(0).position.x(), 0.0, 2e-3 * length * tilt) << "after three quarters";
    EXPECT_NEAR(world.pose(0).position.norm(), length, 1e-5);
  }
}

TEST(BulletWorld, AStringPullsButDoesNotPush) {
  const RigidJoint joint{.body = 0, .to = {0, 0.05, 0}, .length = 0.1, .is_string = true};
  BulletWorld world({ball(0.01, 0.0, 0.5, {0, 0, 0})}, {.joints = {joint}});
  run(world, 0.09);
  EXPECT_NEAR(world.pose(0).position.y(), -0.5 * earth_gravity * 0.0081, 2e-4) << "it falls";
  run(world, 1.0);
  EXPECT_NEAR(world.pose(0).position.y(), -0.05, 1e-5) << "it hangs";
  EXPECT_LT(world.velocity(0).norm(), 0.01);
}

// A floor that rises at 1 m/s throws a ball off at 2 m/s.
TEST(BulletWorldAnalytic, AMovingFloorThrowsABall) {
  BulletWorld world({rising_floor(), ball(0.01, 0.0, 1.0, {0, 0.01, 0})},
                    {.gravity = Vec3::Zero()});
  run(world, 0.2);
  ASSERT_EQ(blows(world).size(), 1u);
  EXPECT_NEAR(blows(world)[0].time, 0.1, 1e-6);
  EXPECT_NEAR(world.velocity(1).y(), 2.0, 1e-6);
}

// One that is cut to another place throws nothing.
TEST(BulletWorld, AFloorThatIsCutElsewhereThrowsNothing) {
  BulletWorld world({cut_floor(), ball(0.01, 0.0, 1.0, {0, 0.01, 0})}, {.gravity = Vec3::Zero()});
  run(world, 0.2);
  EXPECT_TRUE(world.velocity(1).isZero());
}

// A convex mesh with flat faces is a polyhedron to Bullet: it lands on a table as the smooth one.
TEST(RigidSolver, BothAgreeOnACrystalThatLands) {
  geometry::TriMesh crystal;
  crystal.vertices = {{0.01, 0, 0},   {-0.01, 0, 0}, {0, 0.012, 0},
                      {0, -0.012, 0}, {0, 0, 0.01},  {0, 0, -0.01}};
  crystal.triangles = {{0, 2, 4}, {4, 2, 1}, {1, 2, 5}, {5, 2, 0},
                       {4, 3, 0}, {1, 3, 4}, {5, 3, 1}, {0, 3, 5}};
  RigidBodySettings body{.name = "crystal", .friction = 0.3};
  body.shape = scene::MeshShape{std::make_shared<geometry::TriMesh>(crystal), 3e-4};
  body.mass = geometry::mass_properties(crystal, 2500.0);
  body.pose = {.position = {0, 0.1, 0}, .orientation = Quat(1, 0.3, 0.1, -0.2).normalized()};
  RigidBodySettings table = box({0.2, 0.02, 0.2}, 0.3, 0.5);
  table.motion = std::make_shared<base::Resting>(Vec3(0, -0.01, 0));
  std::array<base::Impact, 2> first;
  for (const Solver solver : {Solver::smooth, Solver::bullet}) {
    const auto world = make_rigid_solver({table, body}, {.solver = solver});
    run(*world, 0.16);
    const auto impacts = contact::contact_events(world->log()).impacts;
    ASSERT_FALSE(impacts.empty());
    first[solver == Solver::bullet] = impacts[0];
    run(*world, 1.0);
    EXPECT_LT(world->velocity(1).norm(), 0.002) << "it lies on a face";
    EXPECT_NEAR(world->pose(1).position.y(), 0.01 * 0.012 / std::sqrt(2 * 0.012 * 0.012 + 0.0001),
                2e-5);
  }
  EXPECT_NEAR(first[1].time, first[0].time, 1e-4);
  EXPECT_LT((first[1].impulse - first[0].impulse).norm(), 0.02 * first[0].impulse.norm());
}

// A ball that has hung still for long enough to sleep is struck, and swings off.
TEST(BulletWorldAnalytic, AHangingBallTakesOverTheSpeedOfAnother) {
  std::vector<RigidBodySettings> balls;
  std::vector<RigidJoint> joints;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const double tilt = i == 0 ? -1.2 : 0.0;
    balls.push_back(
        ball(0.01, 0.0, 1.0, {0.0201 * i + 0.5 * std::sin(tilt), -0.5 * std::cos(tilt), 0}));
    joints.push_back({.body = i, .to = {0.0201 * i, 0, 0}, .length = 0.5, .is_string = true});
  }
  BulletWorld world(balls, {.joints = joints});
  run(world, 0.7);
  ASSERT_EQ(blows(world).size(), 1u);
  const double speed = std::sqrt(2.0 * earth_gravity * 0.5 * (1.0 - std::cos(1.2)));
  EXPECT_NEAR(blows(world)[0].impulse.norm() / (0.2 * speed), 1.0, 2e-3);
  EXPECT_LT(world.velocity(0).norm(), 0.02 * speed);
  run(world, 0.778);  // half a swing
  EXPECT_NEAR(world.pose(1).position.x() - 0.0201, 0.5 * std::sin(1.2), 0.002) << "as far";
}

// What lies still and is struck from above is heard below, too.
TEST(BulletWorld, ABlowIsPassedOn) {
  RigidBodySettings lying = box({0.02, 0.02, 0.02}, 0.4, 0.5);
  lying.pose.position = {0, 0.01, 0};
  BulletWorld world({floor_of(0.4, 0.5), lying, ball(0.01, 0.4, 0.5, {0, 0.13, 0})}, {});
  run(world, 0.15);
  const auto impacts = contact::contact_events(world.log()).impacts;
  const auto between = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::any_of(impacts,
                               [&](const auto& one) { return one.body_a == a && one.body_b == b; });
  };
  EXPECT_TRUE(between(1, 2));
  EXPECT_TRUE(between(0, 1));
}

// A ball lies in a bowl, not on a lid over it. (It passes the same height after 0.1 and 0.2 s, and
// once slept there.)
TEST(RigidSolver, ABallComesToRestInABowl) {
  RigidBodySettings bowl{.name = "bowl", .motion = std::make_shared<base::Resting>()};
  bowl.shape = scene::TurnedShape{
      {{0, 0}, {0.03, 0}, {0.05, 0.03}, {0.047, 0.03}, {0.028, 0.003}, {0, 0.003}}, 5e-4};
  for (const Solver solver : {Solver::smooth, Solver::bullet}) {
    const auto world =
        make_rigid_solver({bowl, ball(0.01, 0.4, 0.3, {0.005, 0.06, 0})}, {.solver = solver});
    run(*world, 0.5);
    EXPECT_NEAR(world->pose(1).position.y(), 0.013, 1e-6);
    EXPECT_LT(world->velocity(1).norm(), 0.002);
  }
}

// Work c N u is taken from what rolls: it slows down by 5/7 c g.
TEST(RigidSolver, RollingLosesItsSpeedAlike) {
  for (const Solver solver : {Solver::smooth, Solver::bullet}) {
    RigidBodySettings rolling = ball(0.02, 0.5, 0.0, {0, 0.02, 0});
    rolling.velocity = {1, 0, 0};
    rolling.angular_velocity = {0, 0, -50};
    rolling.rolling_resistance = 0.05;
    const auto world = make_rigid_solver({floor_of(0.5, 0.0), rolling}, {.solver = solver});
    run(*world, 1.0);
    EXPECT_NEAR(world->velocity(1).x(), 1.0 - 5.0 / 7.0 * 0.05 * earth_gravity, 0.005);
  }
}

// A box that lies still is carried by its contacts at rest, also while it sleeps.
TEST(RigidSolver, ContactsAtRestAreToldFromBeginningToEnd) {
  for (const Solver solver : {Solver::smooth, Solver::bullet}) {
    RigidBodySettings lying = box({0.04, 0.02, 0.04}, 0.4, 0.3);
    lying.pose.position = {0, 0.012, 0};
    const auto world = make_rigid_solver({floor_of(0.4, 0.3), lying}, {.solver = solver});
    run(*world, 1.5);
    double carried = 0.0, latest = 0.0;
    for (const base::RestingContact& rest : world->log().rests) {
      carried += rest.impulse;
      latest = std::max(latest, rest.end);
      EXPECT_GT(rest.load(), 0.0);
    }
    const double weight = lying.mass.mass * earth_gravity;
    EXPECT_NEAR(carried / weight, 1.4, 0.1) << "it needs a moment to come to rest";
    EXPECT_NEAR(latest, world->time(), 0.01);
    EXPECT_LT(world->log().rests.size(), 40u) << "joined, not one a step";
  }
}

}  // namespace
}  // namespace peal::dynamics

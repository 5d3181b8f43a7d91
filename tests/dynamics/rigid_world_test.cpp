#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/rigid_bodies.h"

namespace peal::dynamics {
namespace {

struct Drop {
  double height, restitution;
  std::vector<double> times;
};

// References R01 and P-R03: the instants of the bounces, at coarse and at fine steps.
TEST(RigidWorldAnalytic, BouncesComeInTimeAndWithTheirImpulse) {
  const std::vector<Drop> drops = {
      {1.0,
       0.8,
       {0.451523640985731, 1.1739614665629, 1.75191172702464, 2.21427193539402, 2.58416010208954}},
      {0.25,
       0.6,
       {0.225761820492865, 0.496676005084304, 0.659224515839167, 0.756753622292085,
        0.815271086163836}}};
  for (const Drop& drop : drops) {
    for (const double rate : {240.0, 1000.0, 6000.0, 48000.0}) {
      RigidWorld world({floor_of(0.0, drop.restitution),
                        ball(0.02, 0.0, drop.restitution, {0, drop.height + 0.02, 0})},
                       {.step = 1.0 / rate});
      const double energy = world.energy();
      run(world, drop.times.back() + 0.01);
      const auto found = blows(world);
      ASSERT_EQ(found.size(), drop.times.size()) << rate;
      double speed = std::sqrt(2.0 * earth_gravity * drop.height);
      for (std::size_t i = 0; i < found.size(); ++i, speed *= drop.restitution) {
        EXPECT_NEAR(found[i].time, drop.times[i], 1e-9) << rate;
        const double impulse = 0.2 * speed * (1.0 + drop.restitution);
        EXPECT_NEAR(found[i].impulse.norm() / impulse, 1.0, 1e-9) << rate;
        EXPECT_NEAR(found[i].velocity.norm() / speed, 1.0, 1e-9) << rate;
      }
      EXPECT_LE(world.energy(), energy * (1.0 + 1e-12));
    }
  }
}

TEST(RigidWorld, RestitutionOfZeroAndOneBothWork) {
  RigidWorld dead({floor_of(0.0, 0.0), ball(0.02, 0.0, 0.0, {0, 0.52, 0})}, {});
  run(dead, 1.0);
  EXPECT_EQ(blows(dead).size(), 1u);
  EXPECT_NEAR(dead.pose(1).position.y(), 0.02, 1e-6);
  EXPECT_LT(dead.state(1).velocity.norm(), 2e-3);

  RigidWorld lively({floor_of(0.0, 1.0), ball(0.02, 0.0, 1.0, {0, 0.52, 0})}, {});
  const double energy = lively.energy();
  run(lively, 3.0);
  EXPECT_NEAR(lively.energy() / energy, 1.0, 1e-9);
  EXPECT_EQ(blows(lively).size(), 5u);
}

// A ball that has come to rest is silent: no impacts and no moving contacts.
TEST(RigidWorld, ABouncingBallComesToRest) {
  RigidWorld world({floor_of(0.3, 0.6), ball(0.02, 0.3, 0.6, {0, 0.27, 0})}, {});
  run(world, 1.0);
  const std::size_t records = world.log().records.size();
  run(world, 2.0);
  EXPECT_EQ(world.log().records.size(), records);
  EXPECT_NEAR(world.pose(1).position.y(), 0.02, 1e-6);
  EXPECT_NEAR(world.rest_impulse(), 0.2 * earth_gravity * 1.05, 0.2 * earth_gravity * 0.1);
}

// Reference R02: v = 5/7 v0 from t = 2 v0 / (7 mu g) on.
TEST(RigidWorldAnalytic, ASlidingBallComesToRoll) {
  for (const double rate : {240.0, 1000.0, 6000.0}) {
    RigidBodySettings slid = ball(0.05, 0.3, 0.0, {0, 0.05, 0});
    slid.velocity = {2, 0, 0};
    RigidWorld world({floor_of(0.3, 0.0), slid}, {.step = 1.0 / rate});
    run(world, 0.194165331780011);
    EXPECT_NEAR(world.pose(1).position.x(), 0.332854854480018, 0.02 * 0.33) << rate;
    run(world, 1.0);
    EXPECT_NEAR(world.state(1).velocity.x(), 1.42857142857143, 1e-6) << rate;
    EXPECT_NEAR(world.angular_velocity(1).z(), -1.42857142857143 / 0.05, 1e-4) << rate;
  }
}

// Reference R03: a block slides if tan(theta) > mu, by g (sin - mu cos).
TEST(RigidWorldAnalytic, ABlockSlidesDownASlopeOrStays) {
  const double slope = pi / 6.0;
  for (const double friction : {0.4, 0.57, 0.585}) {
    RigidBodySettings block = box({0.04, 0.02, 0.04}, friction, 0.0);
    const Quat turned(Eigen::AngleAxisd(-slope, Vec3::UnitZ()));
    block.pose.orientation = turned;
    block.pose.position = turned * Vec3(0, 0.01, 0);
    RigidWorld world({floor_of(friction, 0.0, slope), block}, {.step = 1.0 / 1000});
    run(world, 0.7);
    const double exact =
        std::max(0.0, earth_gravity * (std::sin(slope) - friction * std::cos(slope)));
    const double way = (world.pose(1).position - block.pose.position).norm();
    EXPECT_NEAR(way, 0.5 * exact * 0.49, 1e-6) << friction;
  }
}

// Reference R04: the top that turns over (Dzhanibekov), after parts of its exact period.
TEST(RigidWorldAnalytic, AFreeTopTurnsOverInTime) {
  const double period = 16.3735576114648;
  const MassFrame frame{.mass = 1.0, .moments = {1, 2, 3}};
  RigidState state;
  state.angular_momentum = Vec3(0.02, 3.0, 0.01).cwiseProduct(frame.moments);
  const Vec3 momentum = state.angular_momentum;
  const double energy = kinetic_energy(frame, state);
  const auto own = [&] {
    return Vec3(state.orientation.conjugate() * angular_velocity(frame, state));
  };
  const int steps = 40000;
  double worst = 0.0;
  for (int i = 1; i <= steps; ++i) {
    fly(frame, Vec3::Zero(), period / steps, state);
    worst = std::max(worst, std::abs(kinetic_energy(frame, state) / energy - 1.0));
    if (i == steps / 4) {
      EXPECT_LT((own() - Vec3(1.50003333297853, 2.59813394572977, -0.866025403793419)).norm(),
                0.03);
    } else if (i == steps / 2) {
      EXPECT_LT((own() - Vec3(0.02, -3.0, -0.01)).norm(), 0.03);
    }
  }
  EXPECT_LT((own() - Vec3(0.02, 3.0, 0.01)).norm(), 0.03);
  EXPECT_LT(worst, 1e-6);
  EXPECT_LT((state.angular_momentum - momentum).norm(), 1e-12 * momentum.norm());
}

// Reference P-R01: bodies that roll down 20 degrees.
TEST(RigidWorldAnalytic, RoundBodiesRollDownASlope) {
  struct Roller {
    double moment;  // over m R^2
    double acceleration;
  };
  const double slope = 20.0 * pi / 180.0;
  for (const Roller& roller : {Roller{0.4, 2.39658400430344},
                               {2.0 / 3.0, 2.01313056361489},
                               {0.5, 2.23681173734987},
                               {1.0, 1.67760880301241}}) {
    RigidBodySettings body = ball(0.05, 0.5, 0.0, {});
    body.mass.inertia = roller.moment * 0.2 * 0.05 * 0.05 * Mat3::Identity();
    body.pose.position = Quat(Eigen::AngleAxisd(-slope, Vec3::UnitZ())) * Vec3(0, 0.05, 0);
    RigidWorld world({floor_of(0.5, 0.0, slope), body}, {.step = 1.0 / 1000});
    run(world, 0.1);
    const double early = world.state(1).velocity.norm();
    run(world, 0.6);
    EXPECT_NEAR((world.state(1).velocity.norm() - early) / 0.5 / roller.acceleration, 1.0, 1e-4);
  }
}

// Below the threshold mu = tan(20 degrees) 2/7 a solid ball slips, above it does not.
TEST(RigidWorldAnalytic, ABallSlipsBelowItsThreshold) {
  const double slope = 20.0 * pi / 180.0;
  for (const double friction : {0.095, 0.113}) {
    RigidBodySettings body = ball(0.05, friction, 0.0, {});
    body.pose.position = Quat(Eigen::AngleAxisd(-slope, Vec3::UnitZ())) * Vec3(0, 0.05, 0);
    RigidWorld world({floor_of(friction, 0.0, slope), body}, {.step = 1.0 / 1000});
    run(world, 0.5);
    const double slip = world.state(1).velocity.norm() - 0.05 * world.angular_velocity(1).norm();
    if (friction < 0.103991495504629) {
      EXPECT_GT(slip, 0.05);
    } else {
      EXPECT_NEAR(slip, 0.0, 2e-3) << "what gravity adds in half a step";
    }
  }
}

/// A disc that rolls around with its centre of mass at rest, tilted by `tilt`.
RigidBodySettings euler_disc(double radius, double tilt, double& omega) {
  const double mass = 0.006, height = 1e-4, fillet = 2e-5;
  RigidBodySettings disc_body{.name = "coin", .shape = disc(radius, height, fillet)};
  const double across = mass * (3.0 * radius * radius + height * height) / 12.0;
  const double along = 0.5 * mass * radius * radius;
  disc_body.mass = mass_of(mass, {across, along, across});
  disc_body.friction = 2.0;
  disc_body.restitution = 0.0;
  // The touching circle has the radius of the core and the height of its centre over the floor.
  const double rim = radius - fillet, up = 0.5 * height - fillet;
  const Quat turned(Eigen::AngleAxisd(tilt, Vec3::UnitX()));
  disc_body.pose.orientation = turned;
  // The lowest point of the lower rim is at +z after this turn about x.
  const Vec3 lowest = turned * Vec3(0, -up, rim);
  disc_body.pose.position = {0, fillet - lowest.y(), 0};
  // Steady: Omega^2 sin(a) [It cos(a) - Ia (h/R) sin(a)] = m g (R cos(a) - h sin(a)).
  const double h = up + fillet * std::cos(tilt), r = rim + fillet * std::sin(tilt);
  omega =
      std::sqrt(mass * earth_gravity * (r * std::cos(tilt) - h * std::sin(tilt)) /
                (std::sin(tilt) * (across * std::cos(tilt) - along * (h / r) * std::sin(tilt))));
  // The plane turns about the vertical; the spin keeps the lowest point at rest.
  const Vec3 axis = turned * Vec3::UnitY();
  const Vec3 contact = lowest - Vec3(0, fillet, 0);
  const Vec3 around = omega * Vec3::UnitY();
  const Vec3 slip = around.cross(contact), unit = axis.cross(contact);
  disc_body.angular_velocity = around - slip.dot(unit) / unit.squaredNorm() * axis;
  return disc_body;
}

TEST(RigidWorldAnalytic, ASpinningCoinPrecessesAsEulersDisc) {
  for (const double tilt : {0.2, 0.35}) {
    double omega = 0.0;
    const RigidBodySettings coin = euler_disc(0.012, tilt, omega);
    EXPECT_NEAR(omega, std::sqrt(4.0 * earth_gravity / (0.012 * std::sin(tilt))), 0.03 * omega);
    RigidWorld world({floor_of(2.0, 0.0), coin}, {.step = 1.0 / 12000});
    const double energy = world.energy();
    double angle = 0.0, worst = 0.0;
    Vec3 before = world.pose(1).orientation * Vec3::UnitY();
    while (world.time() < 0.5 - 1e-9) {
      world.step();
      const Vec3 axis = world.pose(1).orientation * Vec3::UnitY();
      angle += std::atan2(before.z() * axis.x() - before.x() * axis.z(),
                          before.x() * axis.x() + before.z() * axis.z());
      before = axis;
      worst = std::max(worst, world.energy() / energy - 1.0);
    }
    EXPECT_NEAR(std::abs(angle) / 0.5 / omega, 1.0, 0.01) << tilt;
    EXPECT_LT(worst, 2e-3) << tilt;
    EXPECT_NEAR(world.energy() / energy, 1.0, 2e-3) << tilt;
    EXPECT_TRUE(blows(world).empty());
  }
}

// With a loss in rolling the coin goes down ever faster, and stops.
TEST(RigidWorld, ASpinningCoinEndsInFiniteTime) {
  double omega = 0.0;
  RigidBodySettings coin = euler_disc(0.012, 0.2, omega);
  coin.rolling_resistance = 0.003;
  RigidWorld world({floor_of(2.0, 0.0), coin}, {.step = 1.0 / 12000});
  const auto rate = [&](double during) {
    double angle = 0.0;
    Vec3 before = world.pose(1).orientation * Vec3::UnitY();
    const double begin = world.time();
    while (world.time() < begin + during) {
      world.step();
      const Vec3 axis = world.pose(1).orientation * Vec3::UnitY();
      angle += std::atan2(before.z() * axis.x() - before.x() * axis.z(),
                          before.x() * axis.x() + before.z() * axis.z());
      before = axis;
    }
    return std::abs(angle) / during;
  };
  // a^1.5 = a0^1.5 - 2 c sqrt(g / R) t ends at 0.52 s.
  const double end = std::pow(0.2, 1.5) / (2.0 * 0.003 * std::sqrt(earth_gravity / 0.012));
  double last = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double now = rate(0.2 * end);
    EXPECT_GT(now, last);
    last = now;
  }
  run(world, 1.5 * end);
  EXPECT_LT(world.angular_velocity(1).norm(), 5.0);
  EXPECT_NEAR(world.pose(1).position.y(), 0.5e-4, 2e-5);
}

TEST(RigidWorld, TumblingBoxesNeverGainEnergyAndComeToRest) {
  for (const double friction : {0.0, 0.4}) {
    for (const double restitution : {0.3, 0.8}) {
      RigidBodySettings die = box({0.02, 0.02, 0.02}, friction, restitution);
      die.pose.position = {0, 0.15, 0};
      die.pose.orientation = Quat(1, 0.3, -0.2, 0.5).normalized();
      die.velocity = {0.4, 0, 0.2};
      die.angular_velocity = {20, -7, 11};
      RigidWorld world({floor_of(friction, restitution), die}, {});
      double energy = world.energy(), grown = 0.0;
      const double first = energy;
      while (world.time() < 1.5) {
        world.step();
        grown = std::max(grown, world.energy() - first);
        energy = world.energy();
      }
      EXPECT_LE(grown, 1e-4 * first) << friction << ' ' << restitution;
      EXPECT_GT(blows(world).size(), 3u);
      if (friction > 0.0 && restitution < 0.5) {
        EXPECT_LT(world.state(1).velocity.norm(), 0.01);
        EXPECT_NEAR(world.pose(1).position.y(), 0.01, 1e-4);
      }
    }
  }
}

// Its corners are struck alike, and nothing slips.
TEST(RigidWorldAnalytic, ABoxThatLandsFlatRubsNowhere) {
  RigidBodySettings die = box({0.016, 0.016, 0.016}, 0.4, 0.5);
  die.pose.position = {0, 0.1, 0};
  RigidWorld world({floor_of(0.4, 0.5), die}, {});
  run(world, 0.15);
  const auto corners = blows(world);
  ASSERT_EQ(corners.size(), 4u);
  const double all = 0.05 * 1.5 * std::sqrt(2.0 * earth_gravity * 0.092);
  for (const base::ContactRecord& one : corners) {
    EXPECT_NEAR(std::abs(one.impulse.y()), 0.25 * all, 1e-6 * all);
    EXPECT_LT(std::hypot(one.impulse.x(), one.impulse.z()), 1e-9 * all);
  }
}

TEST(RigidWorld, ABallLandsOnATableAndFallsOverItsEdge) {
  // A fixed table of finite size: the ball bounces on it, then falls over its edge.
  RigidBodySettings table{.name = "table",
                          .shape = scene::BoxShape{{0.2, 0.02, 0.2}, 1e-3},
                          .restitution = 0.7,
                          .motion = std::make_shared<base::Resting>(base::Pose{})};
  RigidBodySettings dropped = ball(0.01, 0.4, 0.7, {0.05, 0.12, 0});
  dropped.velocity = {0.2, 0, 0};
  RigidWorld world({table, dropped}, {});
  run(world, 0.1421);
  EXPECT_TRUE(blows(world).empty());
  run(world, 0.15);
  ASSERT_EQ(blows(world).size(), 1u);
  EXPECT_NEAR(blows(world)[0].time, std::sqrt(2.0 * 0.1 / earth_gravity), 1e-6);
  run(world, 2.0);
  EXPECT_LT(world.pose(1).position.y(), -1.0);
}

// A floor that rises at 1 m/s throws a ball off at 2 m/s; one that is cut to another place does
// not.
TEST(RigidWorldAnalytic, AMovingFloorThrowsABall) {
  RigidWorld world({rising_floor(), ball(0.01, 0.0, 1.0, {0, 0.01, 0})}, {.gravity = Vec3::Zero()});
  run(world, 0.2);
  ASSERT_EQ(blows(world).size(), 1u);
  EXPECT_NEAR(blows(world)[0].time, 0.1, 1e-9);
  EXPECT_NEAR(world.state(1).velocity.y(), 2.0, 1e-9);

  RigidWorld cut({cut_floor(), ball(0.01, 0.0, 1.0, {0, 0.01, 0})}, {.gravity = Vec3::Zero()});
  run(cut, 0.2);
  EXPECT_TRUE(cut.state(1).velocity.isZero());
}

TEST(RigidSolver, RefusesBodiesThatOverlapOrHaveNoMass) {
  for (const scene::Solver solver : {scene::Solver::smooth, scene::Solver::bullet}) {
    const auto complaint = [&](std::vector<RigidBodySettings> bodies) {
      try {
        make_rigid_solver(std::move(bodies), {.solver = solver});
        return std::string();
      } catch (const util::InputError& error) {
        return std::string(error.what());
      }
    };
    EXPECT_EQ(complaint({floor_of(0.3, 0.5), ball(0.02, 0.3, 0.5, {0, 0.02, 0})}), "");
    EXPECT_THAT(complaint({floor_of(0.3, 0.5), ball(0.02, 0.3, 0.5, {0, 0.018, 0})}),
                testing::HasSubstr("\"floor\" and \"ball\" overlap by 2 mm"));
    RigidBodySettings light = ball(0.02, 0.3, 0.5, {0, 1, 0});
    light.mass.mass = 0.0;
    EXPECT_THAT(complaint({light}), testing::HasSubstr("\"ball\" has no mass"));
    RigidBodySettings falling = floor_of(0.3, 0.5);
    falling.motion = nullptr;
    falling.mass = light.mass;
    falling.mass.mass = 1.0;
    EXPECT_THAT(complaint({falling}), testing::HasSubstr("is a floor and cannot fall"));
  }
}

}  // namespace
}  // namespace peal::dynamics

#include <peal/elastic/external_loads.h>
#include <peal/elastic/hertz_spring.h>
#include <peal/elastic/local_compliance.h>
#include <peal/elastic/obstacle_contact.h>
#include <peal/elastic/simulation.h>
#include <peal/fem/lame.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>
#include <type_traits>

#include "elastic/contact_bodies.h"

namespace peal::elastic {
namespace {

TEST(ElasticContact, ABounceGivesBackEnergyAndNeverMore) {
  Drop drop(0.0);
  drop.start(0.0102, {0, -1, 0});
  const double start = 0.5 * drop.mass();
  double most = 0.0, least_height = 1.0;
  for (int sample = 0; sample < 48; ++sample) {
    drop.stepper->sample();
    most = std::max(most, whole_energy(*drop.stepper, *drop.contact));
    for (const double y : drop.stepper->state().position[0].y)
      least_height = std::min(least_height, y);
  }
  EXPECT_LT(most, 1.0001 * start);
  EXPECT_LT(least_height, 0.0) << "it touched";
  EXPECT_GT(drop.momentum().y(), 0.5 * drop.mass()) << "it is on its way up";
  EXPECT_LT(drop.momentum().y(), drop.mass());
  EXPECT_NEAR(drop.momentum().x(), 0.0, 1e-12);
}

TEST(ElasticContact, FrictionSlowsWhatSlidesByCoulombsLaw) {
  Drop drop(0.3);
  drop.start(0.0102, {5, -1, 0});
  const double before = 5.0 * drop.mass();
  for (int sample = 0; sample < 48; ++sample) drop.stepper->sample();
  const double push = drop.momentum().y() + drop.mass();
  const double lost = before - drop.momentum().x();
  EXPECT_NEAR(lost / push, 0.3, 0.03);
}

TEST(ElasticContact, AFreeBallTakesWhatItGives) {
  std::vector<Solid> solids;
  solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.06, 0.02, 0.06}, {3, 1, 3}, 1),
                                         trial_steel(), HexElement::solid_shell, "plate"));
  constexpr double radius = 0.01;
  const Obstacle ball = steel_ball(radius, {0.0, 0.02 + 5e-5, 0.0}, {0, -1, 0});
  const double mass = ball.mass.mass;
  auto contact = std::make_unique<ObstacleContact>(
      solids, std::vector<ContactSide>{{}},
      std::vector<std::vector<bool>>{std::vector<bool>(solids[0].mass.size())},
      std::vector<Obstacle>{ball}, Vec3::Zero());
  ObstacleContact& meeting = *contact;
  std::vector<std::unique_ptr<Load>> loads;
  loads.push_back(std::move(contact));
  Stepper stepper(std::move(solids), std::move(loads), {}, {});
  meeting.begin(stepper.rate().step(), stepper.solids());
  const Nodes rest = stepper.solids()[0].rest;
  stepper.start_at(0, rest, Nodes(rest.size()));
  const double before = meeting.rigid_energy();
  EXPECT_NEAR(before, 0.5 * mass, 1e-9);
  for (int sample = 0; sample < 24; ++sample) stepper.sample();
  double momentum = 0.0;
  for (std::size_t i = 0; i < rest.size(); ++i)
    momentum += stepper.solids()[0].mass[i] * stepper.state().velocity[0].y[i];
  const double speed = (meeting.free_pose(0).position.y() - (0.02 + 5e-5)) / stepper.time();
  EXPECT_GT(speed, 0.0) << "it came back";
  const EnergyAccount account = stepper.energy();
  EXPECT_LT(account.kinetic + account.elastic + meeting.rigid_energy(), 1.0001 * before);
  // The plate got what the ball lost: its speed is that of its energy, now upwards.
  const double back = std::sqrt(2.0 * meeting.rigid_energy() / mass);
  EXPECT_NEAR(momentum, -mass * (1.0 + back), 0.01 * mass);
}

TEST(ElasticContact, ABallThatComesWithMoreThanContactCanHoldIsReported) {
  base::Material rubber = soft();
  rubber.young_modulus = 2e6;
  // Hertz's energy at a depth of its radius, 8/15 E* R^3, is 0.07 J: that of the ball at 8.3 m/s.
  for (const double speed : {2.0, 30.0}) {
    std::vector<Solid> solids;
    solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.06, 0.004, 0.06}, {3, 1, 3}, 1),
                                           rubber, HexElement::solid_shell, "sheet"));
    auto made =
        contact_with(solids, 0.0, steel_ball(0.004, {0.003, 0.0061, 0.002}, {0, -speed, 0}));
    const ObstacleContact& contact = *made;
    const auto stepper = stepper_with(std::move(solids), std::move(made));
    for (int sample = 0; sample < 96; ++sample) stepper->sample();
    if (speed < 10.0) {
      EXPECT_THAT(contact.diagnostics(), testing::IsEmpty());
    } else {
      EXPECT_THAT(contact.diagnostics(),
                  testing::ElementsAre(testing::HasSubstr("\"ball\" passes through \"sheet\"")));
    }
  }
}

/// The point of a solid's surface above the origin.
SurfaceSpot middle_of_top(const Solid& solid) {
  const geometry::SurfacePoint point =
      geometry::SurfaceQuery(solid.surface).closest_point({0.0, 1.0, 0.0});
  SurfaceSpot spot{.weights = point.barycentrics};
  for (std::size_t k = 0; k < 3; ++k)
    spot.nodes[k] = solid.surface_node[solid.surface.triangles[point.triangle][k]];
  return spot;
}

/// A steel ball of 50 mm that falls on a block of 0.2 m a side, at rest, with so many cells a side.
struct BallOnBlock {
  static constexpr double radius = 0.05, speed = 5.0, side = 0.2;

  BallOnBlock(int cells, const Vec3& off) {
    std::vector<Solid> solids;
    solids.push_back(
        make_hexahedral_solid(geometry::box_hexes({side, side, side}, {cells, cells, cells}, 1),
                              trial_steel(), HexElement::incompatible, "block"));
    const Obstacle ball =
        steel_ball(radius, off + Vec3(0.0, 0.5 * side + radius + 1e-5, 0.0), {0, -speed, 0});
    auto made = contact_with(solids, 0.0, ball);
    contact = made.get();
    stepper = stepper_with(std::move(solids), std::move(made));
    const Nodes rest = stepper->solids()[0].rest;
    stepper->start_at(0, rest, Nodes(rest.size()));
  }

  /// How long it touches [s].
  double contact_time() {
    double before = contact->free_pose(0).position.y(), speed_before = -speed, begin = 0.0;
    for (int i = 0; i < 4000; ++i) {
      stepper->step();
      const double now = contact->free_pose(0).position.y();
      const double speed_now = (now - before) / stepper->rate().step();
      const bool is_pushed = speed_now - speed_before > 1e-6 * speed;
      if (is_pushed && begin == 0.0) begin = stepper->time();
      if (!is_pushed && begin > 0.0) return stepper->time() - begin;
      before = now;
      speed_before = speed_now;
    }
    return 0.0;
  }

  ObstacleContact* contact = nullptr;
  std::unique_ptr<Stepper> stepper;
};

TEST(ElasticContactAnalytic, ABallTouchesABlockForTheTimeOfHertz) {
  // Reference C01: 2.86827 (m^2 / (R E*^2 V))^(1/5), of the mass of both; the contact is 5 mm wide.
  const double ball = 4.0 / 3.0 * std::numbers::pi * 7850 * std::pow(BallOnBlock::radius, 3);
  const double block = 7850 * std::pow(BallOnBlock::side, 3), mass = ball * block / (ball + block);
  const double modulus = 0.5 / fem::contact_compliance(trial_steel());
  const double hertz =
      2.86827 *
      std::pow(mass * mass / (BallOnBlock::radius * modulus * modulus * BallOnBlock::speed), 0.2);
  // Without what elements give way it would be 1.06 to 1.20 of it, with the finer ones more.
  for (const int cells : {8, 16}) {
    const double cell = BallOnBlock::side / cells;
    for (const Vec3& off : {Vec3(0, 0, 0), Vec3(0.3 * cell, 0, 0.2 * cell)}) {
      EXPECT_NEAR(BallOnBlock(cells, off).contact_time() / hertz, 1.0, 0.05) << cells << " cells";
    }
  }
}

TEST(ElasticContactAnalytic, ElementsAndSpringTogetherGiveWayAsHertzSays) {
  constexpr double k = 2e9, mesh = 3e-9, least = 1e-9;  // [N/m^1.5], [m/N]
  const HertzSpring spring(k, mesh, least);
  double energy = 0.0, before = 0.0;
  bool was_straight = false;
  constexpr double step = 1e-5;  // [m]
  for (int i = 1; i < 600; ++i) {
    const double depth = step * i, force = spring.force(depth), slope = (force - before) / step;
    energy += 0.5 * (force + before) * step;
    EXPECT_NEAR(spring.energy(depth), energy, 1e-4 * energy + 1e-3);
    EXPECT_LT(slope, 1.0001 / least) << "as stiff as steps allow";
    was_straight = slope > 0.999 / least;
    if (!was_straight) {
      const double sunk = std::pow(force / k, 2.0 / 3.0);
      EXPECT_NEAR(depth + mesh * force, sunk, 1e-9 * sunk);
    }
    before = force;
  }
  EXPECT_TRUE(was_straight);
  EXPECT_EQ(spring.force(-1e-6), 0.0);
}

TEST(ElasticContactAnalytic, WhatElementsGiveWayIsLocal) {
  const auto at_middle = [](const Solid& solid) {
    const SurfaceSpot spot = middle_of_top(solid);
    return local_compliance(solid, spot.nodes, spot.weights);
  };
  const auto block = [](int cells) {
    return make_hexahedral_solid(geometry::box_hexes({0.2, 0.2, 0.2}, {cells, cells, cells}, 1),
                                 trial_steel(), HexElement::incompatible);
  };
  // On a node of a half space it goes with the size of cells, and is some times that of a stamp as
  // wide as one, (1 - nu^2) / (E h) (Johnson 1985, eq. 3.36).
  const double coarse = at_middle(block(8)), fine = at_middle(block(16));
  EXPECT_NEAR(fine / coarse, 2.0, 0.1);
  const double stamp = fem::contact_compliance(trial_steel()) / (0.2 / 16);
  EXPECT_GT(fine, stamp);
  EXPECT_LT(fine, 2.0 * stamp);
  // A thin plate bends 0.0056 a^2 / D with clamped sides a (Timoshenko 1959, table 37), thousands
  // of times what is counted.
  const Solid plate = make_hexahedral_solid(geometry::box_hexes({0.2, 0.002, 0.2}, {16, 1, 16}, 1),
                                            trial_steel(), HexElement::solid_shell);
  const double bending = 0.0056 * 0.2 * 0.2 * 12.0 * fem::contact_compliance(trial_steel()) / 8e-9;
  EXPECT_LT(at_middle(plate), 1e-3 * bending);
}

TEST(ElasticContact, AStartInsideOfAnObstacleIsRefused) {
  Drop drop(0.0);
  drop.start(0.005, Vec3::Zero());
  try {
    drop.contact->refuse_overlaps(drop.stepper->state());
    FAIL() << "it was accepted";
  } catch (const util::InputError& error) {
    EXPECT_EQ(error.location().at, "cube");
    EXPECT_THAT(error.problem(), testing::HasSubstr("ground"));
  }
}

/// What is said of a free ball of steel in or at a cube of 4 cm with two elements a side.
std::string said_of_ball(double radius, const Vec3& at) {
  std::vector<Solid> solids;
  solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.04, 0.04, 0.04}, {2, 2, 2}, 1),
                                         soft(), HexElement::incompatible, "cube"));
  auto made = contact_with(solids, 0.0, steel_ball(radius, at, Vec3::Zero()));
  ObstacleContact& contact = *made;
  const auto stepper = stepper_with(std::move(solids), std::move(made));
  try {
    contact.refuse_overlaps(stepper->state());
  } catch (const util::InputError& error) {
    return error.problem();
  }
  return "";
}

TEST(ElasticContact, ABallThatStartsInAFaceOrWithinIsRefused) {
  EXPECT_EQ(said_of_ball(0.002, {0.01, 0.0221, 0.006}), "");
  EXPECT_THAT(said_of_ball(0.002, {0.01, 0.021, 0.006}), testing::HasSubstr("inside \"ball\""));
  EXPECT_THAT(said_of_ball(0.002, {0.01, 0.01, 0.006}), testing::HasSubstr("contains \"ball\""));
  EXPECT_THAT(said_of_ball(0.5, {0, 0, 0.1}), testing::HasSubstr("inside \"ball\""));
}

}  // namespace
}  // namespace peal::elastic

#include <peal/elastic/contact.h>
#include <peal/elastic/hertz_spring.h>
#include <peal/elastic/local_compliance.h>
#include <peal/elastic/outer_forces.h>
#include <peal/elastic/simulation.h>
#include <peal/geometry/surface_query.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>
#include <type_traits>

#include "elastic/trial_solids.h"

namespace peal::elastic {
namespace {

using geometry::Vec3;

class Ground : public base::SignedDistance {
 public:
  double distance(const Vec3& p, Vec3& normal) const override {
    normal = Vec3::UnitY();
    return p.y();
  }
};

class Ball : public base::SignedDistance {
 public:
  explicit Ball(double radius) : radius_(radius) {}
  double distance(const Vec3& p, Vec3& normal) const override {
    normal = p.normalized();
    return p.norm() - radius_;
  }

 private:
  double radius_;
};

base::Material soft() {
  return {.name = "soft", .density = 1000.0, .young_modulus = 1e7, .poisson_ratio = 0.3};
}

Obstacle ground(double friction) {
  return {.name = "ground",
          .shape = std::make_shared<Ground>(),
          .friction = friction,
          .motion = std::make_shared<base::Resting>()};
}

/// Free solids with one kind of contact.
template <class Contact>
std::unique_ptr<Stepper> stepper_with(std::vector<Solid> solids, std::unique_ptr<Contact> contact) {
  Contact& kept = *contact;
  std::vector<std::unique_ptr<Load>> loads;
  loads.push_back(std::move(contact));
  auto stepper = std::make_unique<Stepper>(std::move(solids), std::move(loads),
                                           std::vector<Constraint>{}, StepperSettings{});
  if constexpr (std::is_same_v<Contact, ObstacleContact>) {
    kept.begin(stepper->rate().step(), stepper->solids());
  } else {
    kept.set_step(stepper->rate().step());
  }
  return stepper;
}

std::unique_ptr<ObstacleContact> contact_with(const std::vector<Solid>& solids, double friction,
                                              Obstacle obstacle) {
  return std::make_unique<ObstacleContact>(
      solids, std::vector<ContactSide>{{.friction = friction}},
      std::vector<std::vector<bool>>{std::vector<bool>(solids[0].mass.size())},
      std::vector<Obstacle>{std::move(obstacle)}, Vec3::Zero());
}

/// The state before the last drift, which the account of energy is of.
State instant_before(const Stepper& stepper) {
  State then = stepper.state();
  for (std::size_t s = 0; s < then.position.size(); ++s) {
    for (std::size_t i = 0; i < then.position[s].size(); ++i)
      then.position[s].add(i, -stepper.rate().step() * then.velocity[s].at(i));
  }
  return then;
}

/// Kinetic, elastic and of contact [J].
double whole_energy(const Stepper& stepper, const Load& contact) {
  const EnergyAccount account = stepper.energy();
  return account.kinetic + account.elastic + contact.energy(instant_before(stepper));
}

/// A soft cube of 2 cm above the ground.
struct Drop {
  explicit Drop(double friction) {
    std::vector<Solid> solids;
    solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.02, 0.02, 0.02}, {3, 3, 3}, 1),
                                           soft(), HexElement::incompatible, "cube"));
    auto made = std::make_unique<ObstacleContact>(
        solids, std::vector<ContactSide>{{.friction = friction}},
        std::vector<std::vector<bool>>{std::vector<bool>(solids[0].mass.size())},
        std::vector<Obstacle>{ground(friction)}, Vec3::Zero());
    contact = made.get();
    stepper = stepper_with(std::move(solids), std::move(made));
  }

  void start(double height, const Vec3& velocity) {
    Nodes x = stepper->solids()[0].rest, v(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      x.y[i] += height;
      v.set(i, velocity);
    }
    stepper->start_at(0, x, v);
  }

  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    const auto& mass = stepper->solids()[0].mass;
    for (std::size_t i = 0; i < mass.size(); ++i)
      sum += mass[i] * stepper->state().velocity[0].at(i);
    return sum;
  }
  double mass() const {
    double sum = 0.0;
    for (const double one : stepper->solids()[0].mass) sum += one;
    return sum;
  }

  ObstacleContact* contact = nullptr;
  std::unique_ptr<Stepper> stepper;
};

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
  Obstacle ball{.name = "ball",
                .shape = std::make_shared<Ball>(radius),
                .ball_radius = radius,
                .compliance = contact_compliance(trial_steel())};
  ball.mass.mass = 4.0 / 3.0 * std::numbers::pi * 7850 * std::pow(radius, 3);
  ball.mass.moments = Vec3::Constant(0.4 * ball.mass.mass * radius * radius);
  ball.start.position = {0.0, 0.02 + 5e-5, 0.0};
  ball.start.velocity = {0, -1, 0};
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
    Obstacle ball{.name = "ball",
                  .shape = std::make_shared<Ball>(radius),
                  .ball_radius = radius,
                  .compliance = contact_compliance(trial_steel())};
    ball.mass.mass = 4.0 / 3.0 * std::numbers::pi * 7850 * std::pow(radius, 3);
    ball.mass.moments = Vec3::Constant(0.4 * ball.mass.mass * radius * radius);
    ball.start.position = off + Vec3(0.0, 0.5 * side + radius + 1e-5, 0.0);
    ball.start.velocity = {0, -speed, 0};
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
  const double modulus = 0.5 / contact_compliance(trial_steel());
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
  const double stamp = contact_compliance(trial_steel()) / (0.2 / 16);
  EXPECT_GT(fine, stamp);
  EXPECT_LT(fine, 2.0 * stamp);
  // A thin plate bends 0.0056 a^2 / D with clamped sides a (Timoshenko 1959, table 37), thousands
  // of times what is counted.
  const Solid plate = make_hexahedral_solid(geometry::box_hexes({0.2, 0.002, 0.2}, {16, 1, 16}, 1),
                                            trial_steel(), HexElement::solid_shell);
  const double bending = 0.0056 * 0.2 * 0.2 * 12.0 * contact_compliance(trial_steel()) / 8e-9;
  EXPECT_LT(at_middle(plate), 1e-3 * bending);
}

/// Two soft cubes of 2 cm, the second one 0.1 mm above the first.
struct Pair {
  explicit Pair(double gap) {
    std::vector<Solid> solids;
    for (const char* name : {"low", "high"}) {
      solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.02, 0.02, 0.02}, {2, 2, 2}, 1),
                                             soft(), HexElement::incompatible, name));
    }
    auto made = std::make_unique<SurfaceContact>(solids, std::vector<ContactSide>(2),
                                                 std::vector<bool>{false, false});
    contact = made.get();
    stepper = stepper_with(std::move(solids), std::move(made));
    for (std::size_t s = 0; s < 2; ++s) {
      Nodes x = stepper->solids()[s].rest, v(x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        // Turned and moved aside, so that vertices meet faces and not each other.
        if (s == 1)
          x.set(i, {0.8 * x.x[i] - 0.6 * x.z[i] + 0.001, x.y[i] + 0.02 + gap,
                    0.6 * x.x[i] + 0.8 * x.z[i]});
        v.set(i, {0, s == 1 ? -0.5 : 0.5, 0});
      }
      stepper->start_at(s, x, v);
    }
  }

  double momentum(std::size_t solid) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < stepper->solids()[solid].mass.size(); ++i)
      sum += stepper->solids()[solid].mass[i] * stepper->state().velocity[solid].y[i];
    return sum;
  }

  SurfaceContact* contact = nullptr;
  std::unique_ptr<Stepper> stepper;
};

TEST(ElasticContact, TwoSolidsThrowEachOtherBack) {
  Pair pair(1e-4);
  const double mass = 0.008, start = 2 * 0.5 * mass * 0.25;
  EXPECT_NO_THROW(pair.contact->refuse_overlaps(pair.stepper->state()));
  double most = 0.0;
  for (int sample = 0; sample < 60; ++sample) {
    pair.stepper->sample();
    most = std::max(most, whole_energy(*pair.stepper, *pair.contact));
  }
  EXPECT_LT(pair.momentum(0), -0.25 * mass);
  EXPECT_GT(pair.momentum(1), 0.25 * mass);
  EXPECT_NEAR(pair.momentum(0) + pair.momentum(1), 0.0, 1e-9 * mass);
  EXPECT_LT(most, 1.0001 * start);
  EXPECT_THROW(Pair(-1e-3).contact->refuse_overlaps(Pair(-1e-3).stepper->state()),
               util::InputError);
}

/// The most that contact ever has given to solids and keeps, over their energy at the start: what
/// bends far changes its energy by some 1e-4 on its own, as leapfrog does.
template <class Contact>
double most_gained(
    Stepper& stepper, const Contact& contact, int samples,
    const std::function<void()>& look = [] {}) {
  double most = 0.0;
  for (int sample = 0; sample < samples; ++sample) {
    stepper.sample();
    most = std::max(most, stepper.energy().given + contact.energy(instant_before(stepper)));
    look();
  }
  return most / stepper.energy().initial;
}

TEST(ElasticContact, AnEdgedBodyThatFallsOnItsCornerGainsNothing) {
  for (const double friction : {0.0, 0.5}) {
    Drop drop(friction);
    // Its space diagonal upright, spinning and drifting.
    const Eigen::Quaterniond turn =
        Eigen::Quaterniond::FromTwoVectors(Vec3(1, 1, 1), Vec3::UnitY());
    Nodes x = drop.stepper->solids()[0].rest, v(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3 arm = turn * x.at(i);
      x.set(i, arm + Vec3(0, 0.0175, 0));
      v.set(i, Vec3(0.5, -1.5, 0) + Vec3(0, 20, 5).cross(arm));
    }
    drop.stepper->start_at(0, x, v);
    double lowest = 1.0;
    const double most = most_gained(*drop.stepper, *drop.contact, 150, [&] {
      for (const double y : drop.stepper->state().position[0].y) lowest = std::min(lowest, y);
    });
    EXPECT_LT(most, 1e-4) << friction;
    EXPECT_LT(lowest, 0.0) << "it touched";
    EXPECT_GT(lowest, -0.002) << "it stays above";
    EXPECT_GT(drop.momentum().y(), 0.0) << "it is on its way up";
  }
}

TEST(ElasticContact, ASheetThatFallsOnABallGainsNothingAndStaysOutside) {
  std::vector<Solid> solids;
  solids.push_back(make_hexahedral_solid(geometry::box_hexes({0.1, 0.002, 0.1}, {12, 1, 12}, 1),
                                         soft(), HexElement::solid_shell, "sheet"));
  constexpr double radius = 0.02;
  auto made = contact_with(solids, 0.3,
                           {.name = "ball",
                            .shape = std::make_shared<Ball>(radius),
                            .motion = std::make_shared<base::Resting>()});
  const ObstacleContact& contact = *made;
  const auto stepper = stepper_with(std::move(solids), std::move(made));
  Nodes x = stepper->solids()[0].rest, v(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    x.set(i, x.at(i) + Vec3(0.01, radius + 0.0012, 0));
    v.set(i, {0, -1, 0});
  }
  stepper->start_at(0, x, v);
  double deepest = 0.0;
  const double most = most_gained(*stepper, contact, 480, [&] {
    for (std::size_t i = 0; i < x.size(); ++i)
      deepest = std::max(deepest, radius - stepper->state().position[0].at(i).norm());
  });
  EXPECT_LT(most, 1e-4);
  EXPECT_GT(deepest, 0.0) << "it touched";
  EXPECT_LT(deepest, 0.001);
}

/// A strip bent to a hairpin, whose legs move towards each other.
struct Hairpin {
  static constexpr double length = 0.2, thickness = 0.002, radius = 0.012;

  /// Legs lie beside each other by so much of their length.
  Hairpin(double speed, double aside, double friction) {
    base::Material rubber = soft();
    rubber.young_modulus = 1e6;
    std::vector<Solid> solids;
    solids.push_back(
        make_hexahedral_solid(geometry::box_hexes({length, thickness, 0.02}, {30, 1, 3}, 1), rubber,
                              HexElement::solid_shell, "strip"));
    auto made = std::make_unique<SurfaceContact>(
        solids, std::vector<ContactSide>{{.friction = friction}}, std::vector<bool>{true});
    contact = made.get();
    stepper = stepper_with(std::move(solids), std::move(made));
    const Nodes& rest = stepper->solids()[0].rest;
    Nodes x(rest.size()), v(rest.size());
    const double bend = 0.5 * std::numbers::pi * radius;  // half of the arc
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double along = std::clamp(rest.x[i], -bend, bend), angle = along / radius;
      const Vec3 outward(-std::cos(angle), std::sin(angle), 0);  // of the arc, whose centre is 0
      const Vec3 leg(std::abs(rest.x[i]) - std::abs(along), 0, 0);
      const double beside = (rest.x[i] > 0.0 ? aside : -aside) * leg.x();
      x.set(i, (radius + rest.y[i]) * outward + leg + Vec3(0, 0, rest.z[i] + beside));
      v.set(i, Vec3(0, rest.x[i] > 0.0 ? -speed : speed, 0) * leg.x() / (0.5 * length));
    }
    stepper->start_at(0, x, v);
  }

  /// Between the inner sides of both legs, at the same distances from the bend [m].
  void look() {
    const Nodes &rest = stepper->solids()[0].rest, &now = stepper->state().position[0];
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest.x[i] < 0.06 || rest.y[i] > 0.0) continue;
      for (std::size_t k = 0; k < rest.size(); ++k) {
        if (std::abs(rest.x[k] + rest.x[i]) > 1e-9 || rest.y[k] > 0.0 || rest.z[k] != rest.z[i])
          continue;
        least_gap = std::min(least_gap, now.y[i] - now.y[k]);
        largest_gap = std::max(largest_gap, now.y[i] - now.y[k]);
      }
    }
  }

  SurfaceContact* contact = nullptr;
  std::unique_ptr<Stepper> stepper;
  double least_gap = 1.0, largest_gap = 0.0;
};

TEST(ElasticContact, AFoldedSheetDoesNotPassThroughItselfOrGainEnergy) {
  // Also where the edges of both legs lie exactly on each other.
  for (const double aside : {0.0, 0.015}) {
    for (const auto& [speed, samples, friction] : {std::tuple(1.0, 960, 0.3), {3.0, 480, 0.0}}) {
      Hairpin strip(speed, aside, friction);
      const double most =
          most_gained(*strip.stepper, *strip.contact, samples, [&] { strip.look(); });
      EXPECT_LT(most, 1e-4) << speed << " m/s, aside " << aside;
      EXPECT_LT(strip.least_gap, 0.0) << "they touched";
      EXPECT_GT(strip.least_gap, -0.75 * Hairpin::thickness) << speed << " m/s, aside " << aside;
      EXPECT_GT(strip.largest_gap, 0.01) << "they were thrown back";
    }
  }
}

/// Two bars that stand on edge and cross: no vertex of one ever comes into the other.
TEST(ElasticContact, EdgesThatCrossBetweenVerticesHoldEachOther) {
  constexpr double side = 0.01, length = 0.06, speed = 0.5;
  std::vector<Solid> solids;
  for (const char* name : {"low", "high"}) {
    solids.push_back(make_hexahedral_solid(geometry::box_hexes({length, side, side}, {6, 1, 1}, 1),
                                           soft(), HexElement::incompatible, name));
  }
  auto made = std::make_unique<SurfaceContact>(solids, std::vector<ContactSide>(2),
                                               std::vector<bool>{false, false});
  const SurfaceContact& contact = *made;
  const auto stepper = stepper_with(std::move(solids), std::move(made));
  const Eigen::AngleAxisd on_edge(0.25 * std::numbers::pi, Vec3::UnitX());
  const Eigen::AngleAxisd across(0.5 * std::numbers::pi, Vec3::UnitY());
  for (std::size_t s = 0; s < 2; ++s) {
    Nodes x = stepper->solids()[s].rest, v(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      // Off the middle, so that edges meet between their vertices.
      const Vec3 low = on_edge * x.at(i) + Vec3(0.003, 0, 0);
      x.set(i, s == 0 ? low : across * low + Vec3(0, std::numbers::sqrt2 * side + 1e-4, 0));
      v.set(i, {0, s == 0 ? speed : -speed, 0});
    }
    stepper->start_at(s, x, v);
  }
  double deepest = 0.0;
  const auto middle = [&](std::size_t s) {
    double sum = 0.0, mass = 0.0;
    for (std::size_t i = 0; i < stepper->solids()[s].mass.size(); ++i) {
      sum += stepper->solids()[s].mass[i] * stepper->state().position[s].y[i];
      mass += stepper->solids()[s].mass[i];
    }
    return sum / mass;
  };
  const double most = most_gained(*stepper, contact, 240, [&] {
    deepest = std::max(deepest, std::numbers::sqrt2 * side - (middle(1) - middle(0)));
  });
  EXPECT_LT(most, 1e-4);
  EXPECT_GT(deepest, 0.0) << "they touched";
  EXPECT_LT(deepest, 0.3 * side) << "they went no deeper than soft bars do";
  EXPECT_GT(middle(1) - middle(0), std::numbers::sqrt2 * side) << "they are apart again";
}

/// A soft cube of 2 cm or a plate of 3 mm, by the seed.
Solid thrown_solid(std::uint64_t seed, const std::string& name) {
  if (seed % 2 == 0) {
    return make_hexahedral_solid(geometry::box_hexes({0.02, 0.02, 0.02}, {2, 2, 2}, 1), soft(),
                                 HexElement::incompatible, name);
  }
  return make_hexahedral_solid(geometry::box_hexes({0.03, 0.003, 0.02}, {6, 1, 4}, 1), soft(),
                               HexElement::solid_shell, name);
}

/// Lets a solid start from a place with a velocity, turned and spinning at random.
void throw_at_random(Stepper& stepper, std::size_t solid, std::uint64_t seed, const Vec3& from,
                     const Vec3& velocity) {
  const auto number = [&](std::uint64_t k) { return 2.0 * trial_random(seed, 10 * solid + k); };
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond(number(0), number(1), number(2), number(3)).normalized();
  const Vec3 spin = 40.0 * Vec3(number(4), number(5), number(6));
  Nodes x = stepper.solids()[solid].rest, v(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3 arm = turn * x.at(i);
    x.set(i, from + arm + 0.006 * Vec3(number(7), 0.0, number(8)));
    v.set(i, velocity + spin.cross(arm));
  }
  stepper.start_at(solid, x, v);
}

TEST(ElasticContactFuzz, SolidsThrownAtEachOtherAndTheGroundGainNothing) {
  constexpr double most = 5e-4;  // 300 seeds gained 1.8e-4 at most, and 297 of them less than 1e-4
  int touched = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const double friction = seed % 4 < 2 ? 0.0 : 0.4;
    std::vector<Solid> two;
    for (const char* name : {"low", "high"}) two.push_back(thrown_solid(seed, name));
    auto between = std::make_unique<SurfaceContact>(
        two, std::vector<ContactSide>(2, {.friction = friction}), std::vector<bool>{false, false});
    const SurfaceContact& meeting = *between;
    const auto both = stepper_with(std::move(two), std::move(between));
    throw_at_random(*both, 0, seed, {0, 0, 0}, {0, 1.5, 0});
    throw_at_random(*both, 1, seed, {0, 0.037, 0}, {0, -1.5, 0});
    EXPECT_LT(most_gained(*both, meeting, 500), most) << "two, seed " << seed;
    if (both->energy().given != 0.0) ++touched;

    std::vector<Solid> one;
    one.push_back(thrown_solid(seed, "thrown"));
    auto below = contact_with(one, friction, ground(friction));
    const ObstacleContact& landing = *below;
    const auto alone = stepper_with(std::move(one), std::move(below));
    throw_at_random(*alone, 0, seed, {0, 0.02, 0}, {0.5, -1.5, 0});
    EXPECT_LT(most_gained(*alone, landing, 500), most) << "on the ground, seed " << seed;
  }
  EXPECT_GT(touched, 10);
}

TEST(ElasticContact, AStartInsideOfAnObstacleIsRefused) {
  Drop drop(0.0);
  drop.start(0.005, Vec3::Zero());
  try {
    drop.contact->refuse_overlaps(drop.stepper->state());
    FAIL() << "it was accepted";
  } catch (const util::InputError& error) {
    EXPECT_EQ(error.place().at, "cube");
    EXPECT_THAT(error.problem(), testing::HasSubstr("ground"));
  }
}

}  // namespace
}  // namespace peal::elastic

#include <peal/elastic/external_loads.h>
#include <peal/elastic/simulation.h>
#include <peal/geometry/mesh/rotation.h>
#include <peal/util/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <tuple>

#include "elastic/contact_bodies.h"

namespace peal::elastic {
namespace {

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
    const Eigen::Quaterniond turn = geometry::least_turn(Vec3(1, 1, 1), Vec3::UnitY());
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

}  // namespace
}  // namespace peal::elastic

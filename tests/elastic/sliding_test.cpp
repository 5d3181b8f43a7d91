#include <peal/elastic/external_loads.h>
#include <peal/elastic/surface_contact.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "elastic/contact_bodies.h"

// Solids that slide on solids: what holds them up must not hold them back.

namespace peal::elastic {
namespace {

constexpr double earth = 9.81;  ///< [m/s^2]

base::Material damped(double young_modulus) {
  base::Material material = soft();
  material.young_modulus = young_modulus;
  material.damping.stiffness = 1e-5;
  return material;
}

/// A soft cube of 3 cm on blocks 2 cm thick whose lower sides are fixed. Gravity leans by an angle,
/// so that the cube would slide along x.
struct Slide {
  static constexpr double side = 0.03;

  struct Block {
    double from = -0.15, to = 0.15;  ///< along x [m]
    int cells = 15;
  };

  Slide(const std::vector<Block>& blocks, double friction, double angle = 0.0) {
    std::vector<Solid> solids;
    solids.push_back(make_hexahedral_solid(geometry::box_hexes({side, side, side}, {3, 3, 3}, 1),
                                           damped(5e6), HexElement::incompatible, "cube"));
    std::vector<Constraint> held;
    for (const Block& block : blocks) {
      geometry::HexMesh mesh =
          geometry::box_hexes({block.to - block.from, 0.02, 0.06}, {block.cells, 1, 3}, 1);
      for (Vec3& vertex : mesh.vertices) vertex += Vec3(0.5 * (block.from + block.to), -0.01, 0);
      held.push_back({.solid = solids.size()});
      solids.push_back(make_hexahedral_solid(mesh, damped(5e7), HexElement::incompatible, "block"));
      const Nodes& rest = solids.back().rest;
      for (std::uint32_t i = 0; i < rest.size(); ++i) {
        if (rest.y[i] < -0.0199) held.back().nodes.push_back(i);
      }
    }
    std::vector<std::unique_ptr<Load>> loads;
    loads.push_back(std::make_unique<Gravity>(earth * Vec3(std::sin(angle), -std::cos(angle), 0),
                                              solids, std::vector<double>(solids.size(), 0.0)));
    auto made = std::make_unique<SurfaceContact>(
        solids, std::vector<ContactSide>(solids.size(), {.friction = friction}),
        std::vector<bool>(solids.size(), false));
    SurfaceContact& contact = *made;
    loads.push_back(std::move(made));
    stepper = std::make_unique<Stepper>(std::move(solids), std::move(loads), std::move(held),
                                        StepperSettings{});
    contact.set_step(stepper->rate().step());
  }

  void start(double x, double z, double speed) {
    Nodes at = stepper->solids()[0].rest, v(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) {
      at.add(i, {x, 0.5 * side + 1e-6, z});
      v.set(i, {speed, 0, 0});
    }
    stepper->start_at(0, at, v);
  }

  /// Of the cube's centre of mass, or of its velocity.
  Vec3 mean(const Nodes& nodes) const {
    Vec3 sum = Vec3::Zero();
    double mass = 0.0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      sum += stepper->solids()[0].mass[i] * nodes.at(i);
      mass += stepper->solids()[0].mass[i];
    }
    return sum / mass;
  }
  Vec3 place() const { return mean(stepper->state().position[0]); }
  Vec3 velocity() const { return mean(stepper->state().velocity[0]); }

  void run(double seconds) {
    const auto samples = static_cast<int>(std::lround(48000 * seconds));
    for (int i = 0; i < samples; ++i) {
      stepper->sample();
      slowest = std::min(slowest, velocity().x());
      fastest = std::max(fastest, velocity().x());
      highest = std::max(highest, place().y());
      lowest = std::min(lowest, place().y());
    }
  }

  std::unique_ptr<Stepper> stepper;
  double slowest = 1e9, fastest = -1e9, highest = -1.0, lowest = 1.0;
};

TEST(ElasticSliding, WithoutFrictionASpeedIsKeptAcrossTheEdgesOfFaces) {
  for (const double speed : {0.3, 0.6}) {
    Slide slide({{}}, 0.0);
    slide.start(-0.08, 0.0, speed);
    slide.run(0.06 / speed);
    EXPECT_GT(slide.slowest, 0.99 * speed);
    EXPECT_LT(slide.fastest, 1.01 * speed);
    EXPECT_LT(slide.highest, 0.5 * Slide::side + 2e-5);
    EXPECT_GT(slide.lowest, 0.5 * Slide::side - 2e-5);
  }
}

TEST(ElasticSliding, WithoutFrictionASpeedIsKeptFromOneBlockOntoTheNext) {
  Slide slide({{-0.15, 0.0, 8}, {0.0, 0.15, 7}}, 0.0);
  slide.start(-0.03, 0.004, 0.5);
  slide.run(0.12);
  EXPECT_GT(slide.place().x(), 0.5 * Slide::side) << "it is all on the next";
  EXPECT_NEAR(slide.velocity().x(), 0.5, 0.01);
  EXPECT_LT(slide.highest, 0.5 * Slide::side + 5e-5);
  EXPECT_GT(slide.lowest, 0.5 * Slide::side - 5e-5);
}

TEST(ElasticSliding, DownASlopeABodyFallsByItsWeightLessFriction) {
  constexpr double friction = 0.3, angle = 25.0 / 180.0 * std::numbers::pi;
  const double expected = earth * (std::sin(angle) - friction * std::cos(angle));
  for (const int cells : {15, 30}) {
    Slide slide({{-0.15, 0.15, cells}}, friction, angle);
    slide.start(-0.06, 0.0, 0.0);
    slide.run(0.05);
    const double before = slide.velocity().x();
    slide.run(0.1);
    EXPECT_NEAR((slide.velocity().x() - before) / 0.1, expected, 0.04 * expected);
    EXPECT_NEAR(slide.velocity().x(), 0.15 * expected, 0.06 * expected);
  }
}

TEST(ElasticSliding, WhatIsHeldByFrictionStaysOnASlope) {
  Slide slide({{}}, 0.6, 25.0 / 180.0 * std::numbers::pi);
  slide.start(-0.06, 0.0, 0.0);
  slide.run(0.1);
  EXPECT_NEAR(slide.place().x(), -0.06, 1e-3)
      << "a hundredth of the way that it would slide without";
}

}  // namespace
}  // namespace peal::elastic

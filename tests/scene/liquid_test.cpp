#include <peal/dynamics/liquid_surface.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scene_text.h"

namespace peal::scene {
namespace {

using std::numbers::pi;
using testing::HasSubstr;

std::string with_liquid(const std::string& keys, const std::string& more = "") {
  return scene_with_objects(
      fmt::format(R"({{"name": "water", "liquid": {{{}}}, "sound": []}})", keys), more);
}

LiquidBody liquid_of(const std::string& keys, const std::string& more = "") {
  const Scene scene = parse(with_liquid(keys, more));
  return *scene.objects.at(0).liquid();
}

const std::string glass = R"("radius": 0.03, "height": 0.12, "level": 0.02)";

TEST(Liquid, DripsWithJitterThatTheSeedDecides) {
  const std::string drip = glass + R"(, "drip": {"period": 0.4, "start": 0.1})";
  const LiquidBody liquid = liquid_of(drip), same = liquid_of(drip),
                   other = liquid_of(drip, R"("seed": 3,)");
  ASSERT_GE(liquid.drops.size(), 4u);
  ASSERT_EQ(liquid.drops.size(), same.drops.size());
  double previous = 0.0;
  for (std::size_t i = 0; i < liquid.drops.size(); ++i) {
    const LiquidDrop& drop = liquid.drops[i];
    EXPECT_NEAR(drop.diameter, 0.0046, 0.05 * 0.0046);
    EXPECT_NEAR(drop.speed, std::sqrt(2.0 * 9.81 * 0.085), 0.03 * drop.speed);
    EXPECT_EQ(drop.time, same.drops[i].time);
    EXPECT_NE(drop.time, other.drops[i].time);
    EXPECT_GT(drop.time, previous);
    previous = drop.time;
  }
}

TEST(Liquid, RainHasTheDropsOfItsRate) {
  const LiquidBody pool = liquid_of(
      R"("radius": 0.2, "height": 0.2, "level": 0.1, "rain": {"rate": 20})", R"("seed": 5,)");
  double volume = 0.0;
  for (const LiquidDrop& drop : pool.drops) {
    EXPECT_LE(drop.at.norm(), 0.2);
    volume += pi / 6.0 * std::pow(drop.diameter, 3);
  }
  // Marshall & Palmer's sizes carry their rate within a sixth; drops are few.
  const double rate = volume / (pi * 0.04) / 2.0 * 3.6e6;  // [mm/h]
  EXPECT_NEAR(rate, 20.0, 8.0);
  EXPECT_GT(pool.drops.size(), 100u);
}

TEST(Liquid, AJetFillsAGlassByItsFlow) {
  const LiquidBody liquid =
      liquid_of(glass + R"(, "pour": {"flow": 1e-4, "nozzle_height": 0.25, "start": 0.1})");
  const double area = pi * 9e-4, arrives = liquid.jet_arrives();
  const double v = liquid.jet->nozzle_speed;
  EXPECT_NEAR(arrives - 0.1, (std::sqrt(v * v + 2 * 9.81 * 0.23) - v) / 9.81, 1e-12);
  EXPECT_EQ(liquid.level_at(arrives), 0.02);
  EXPECT_NEAR(liquid.level_at(arrives + 1.0), 0.02 + 1e-4 / area, 1e-9);
  // The jet grows thinner as it falls.
  EXPECT_NEAR(pi * std::pow(liquid.jet->radius_at(0.05), 2) * liquid.jet->speed_at(0.05), 1e-4,
              1e-12);
}

TEST(Liquid, ItsMeshIsClosedAndHoldsItsVolumeAtAnyTime) {
  LiquidBody liquid = liquid_of(
      R"("profile": [[0, 0], [0.02, 0.001], [0.03, 0.02], [0.032, 0.12]], "level": 0.03,
         "overlap": 0, "edge_length": 0.001,
         "drops": [{"t": 0.2}, {"t": 0.21, "at": [0.01, 0.005]}],
         "pour": {"flow": 5e-5, "nozzle_height": 0.25, "start": 0.1, "duration": 1})");
  const dynamics::LiquidSurface surface(liquid);
  ASSERT_EQ(surface.size(), 3u);
  EXPECT_EQ(surface.changes()[0], liquid.jet_arrives());
  for (const double t : {0.0, 0.21, 0.24, 0.9, 1.9}) {
    const geometry::TriMesh mesh = base::shape_at(surface, t);
    EXPECT_TRUE(geometry::check_mesh(mesh, {.self_intersections = false}).problems.empty()) << t;
    double jet = 0.0;
    if (surface.number_at(t) == 1) {
      const double level = liquid.level_at(t);
      for (double y = level; y < 0.25; y += 1e-4)
        jet += pi * std::pow(liquid.jet->radius_at(y), 2) * 1e-4;
    }
    const double expected = liquid.volume_below(liquid.level_at(t)) + jet;
    EXPECT_NEAR(geometry::signed_volume(mesh), expected, 0.02 * expected) << t;
  }
}

/// Notes of two-phase simulations: the crater of a drop of 4.6 mm at 1.25 m/s closes 27.7 ms after
/// its impact, and its floor is 1.5 mm above a bubble 7.2 mm deep.
TEST(Liquid, ACraterIsAsDeepAndLongAsTwoPhaseSimulationsSay) {
  const LiquidDrop drop{.time = 1.0, .diameter = 0.0046, .speed = 1.25};
  EXPECT_NEAR(drop.closing_time(), 0.0277, 0.003);
  EXPECT_NEAR(drop.height(0.0, 1.0 + drop.closing_time()), -0.0057, 0.0007);
  EXPECT_EQ(drop.height(0.0, 1.0), 0.0);
  EXPECT_EQ(drop.height(0.0, 2.0), 0.0);
  double volume = 0.0, hole = 0.0;
  for (double r = 5e-5; r < 0.05; r += 1e-4) {
    volume += r * drop.height(r, 1.02);
    hole += r * std::max(0.0, -drop.height(r, 1.02));
  }
  EXPECT_NEAR(volume, 0.0, 1e-3 * hole);
}

TEST(Liquid, MistakesAreNamed) {
  const auto says = [](const std::string& keys) { return complaint(with_liquid(keys)); };
  EXPECT_THAT(says(R"("radius": 0.03, "height": 0.1, "level": 0.2)"),
              HasSubstr("is not between the bottom and the rim"));
  EXPECT_THAT(says(R"("level": 0.2)"), HasSubstr("radius"));
  EXPECT_THAT(says(R"("profile": [[0, 0], [0.02, 0.1], [0.03, 0.05]], "level": 0.02)"),
              HasSubstr("point 2 is not above the one before"));
  EXPECT_THAT(says(R"("profile": [[0.01, 0], [0.02, 0.1]], "level": 0.02)"),
              HasSubstr("not on the axis"));
  EXPECT_THAT(says(glass + R"(, "drip": {"at": [0.05, 0]})"), HasSubstr("from the axis"));
  EXPECT_THAT(says(glass + R"(, "pour": {"flow": 1e-3, "nozzle_height": 0.25})"),
              HasSubstr("overflows at 0."));
  EXPECT_THAT(says(glass + R"(, "pour": {"flow": 1e-6, "nozzle_height": 0.01})"),
              HasSubstr("nozzle"));
  EXPECT_THAT(says(glass + R"(, "drip": {"periode": 1})"), HasSubstr("Did you mean \"period\""));
  EXPECT_THAT(says(glass + R"(, "edge_length": 0.00001)"), HasSubstr("vertices"));
  EXPECT_THAT(
      complaint(scene_with_objects(R"({"liquid": {)" + glass + R"(}, "scale": 2, "sound": []})")),
      HasSubstr("a liquid has its size in metres"));
}

}  // namespace
}  // namespace peal::scene

#include <peal/geometry/mesh/rotation.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/cut_motion.h"
#include "wave/wave_fixture.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

/// Of a wing of 160 x 120 mm that is held in the middle; its tips beat up and down by 30 mm.
Vec3 flapping(const Vec3& rest, double t) {
  const double up = 0.03 * std::sin(2 * std::numbers::pi * 60 * t);  // tips: 11 m/s
  return rest + Vec3(0, up * std::pow(rest.x() / 0.08, 2), 0);
}

base::Body sheet_of(std::string name, geometry::TriMesh mesh,
                    std::shared_ptr<const base::Motion> motion = resting_at()) {
  base::Body body = body_of(std::move(name), std::move(mesh), std::move(motion));
  body.is_sheet = true;
  return body;
}

base::Body wing(bool flaps = true) {
  const auto turn = geometry::least_turn(Vec3::UnitY(), Vec3(0.36, 0.8, 0.48));
  geometry::TriMesh mesh = geometry::plane_mesh(0.16, 0.12, 0.01);
  base::Body body = sheet_of("wing", mesh, resting_at(0.003, -0.004, 0.002));
  if (flaps) body.deformation = std::make_shared<Deforming>(mesh.vertices, flapping);
  body.motion = std::make_shared<base::Resting>(base::Pose{{0.003, -0.004, 0.002}, turn});
  return body;
}

/// A world in a box of 0.36 m, from silence on.
class Stage {
 public:
  explicit Stage(base::World world, double cell_size, double seconds)
      : world_(std::move(world)),
        settings_{.max_frequency = 2000,
                  .cell_size = cell_size,
                  .domain = geometry::Box(Vec3::Constant(-0.18), Vec3::Constant(0.18))},
        discretisation_(choose_discretisation(settings_, world_.rate, world_.medium)),
        chunk_{.end = seconds},
        domain_(DomainChooser(world_, settings_, discretisation_).domain_for(chunk_, seconds)),
        simulation_(world_, settings_, discretisation_, domain_, chunk_) {}

  Simulation<float>& simulation() { return simulation_; }
  const Grid& grid() const { return domain_.grid; }
  double time() const { return discretisation_.rate.seconds(simulation_.now()); }
  double step() const { return discretisation_.rate.step(); }
  double at(const Vec3& index) const {
    return static_cast<double>(simulation_.pressure()[grid().cell_of(index)]);
  }

 private:
  base::World world_;
  base::WaveSettings settings_;
  Discretisation discretisation_;
  Chunk chunk_;
  Domain domain_;
  Simulation<float> simulation_;
};

base::PointSource humming_at(double x, double y, double z) {
  return {.name = "hum",
          .motion = resting_at(x, y, z),
          .shader = std::make_shared<Emitting>([](double t) { return tone(t, motion::kTone); })};
}

TEST(DeformingSheet, beats_in_silence_silently) {
  base::World world = world_of(0.01);
  world.bodies.push_back(wing());
  Stage stage(world, 0.015, 0.01);
  while (stage.time() < 0.006) stage.simulation().step();
  EXPECT_EQ(largest(stage.simulation().pressure()), 0.0);
}

/// A tone's noise above the band at the worst of three places, and its level at each.
struct HeardTone {
  double noise = -300;
  std::array<double, 3> level{};
};

HeardTone heard_from(const base::World& world, double cell_size, double seconds) {
  Stage stage(world, cell_size, seconds);
  const Vec3 indices[] = {{0.04, -0.13, -0.02}, {-0.05, -0.12, -0.13}, {0.04, 0.14, 0.1}};
  std::vector<double> received[3];
  while (stage.time() < seconds) {
    stage.simulation().step();
    for (int i = 0; i < 3 && stage.time() > motion::kSettle; ++i)
      received[i].push_back(stage.at(indices[i]));
  }
  HeardTone result;
  for (int i = 0; i < 3; ++i) {
    result.noise =
        std::max(result.noise, noise_above(received[i], stage.step(), motion::kTone + 420));
    result.level[i] = tone_level(received[i], stage.step());
  }
  std::printf("on %g mm cells: noise %.1f dB, tone %.2f %.2f %.2f dB\n", 1e3 * cell_size,
              result.noise, result.level[0], result.level[1], result.level[2]);
  return result;
}

TEST(DeformingSheetSlow, beating_beside_a_tone_adds_no_noise) {
  base::World world = world_of(0.022);
  world.bodies.push_back(wing());
  world.sources.push_back(humming_at(-0.1, 0.13, 0.07));
  EXPECT_LT(heard_from(world, 0.012, 0.02).noise, -50);
}

TEST(DeformingSheetSlow, driven_is_as_loud_as_on_a_finer_grid) {
  base::World world = world_of(0.022);
  world.bodies.push_back(wing());
  world.bodies[0].sources.push_back(
      std::make_shared<Pulsating>([](double t) { return 10 * tone(t, motion::kTone); }));
  const HeardTone coarse = heard_from(world, 0.016, 0.012);
  const HeardTone fine = heard_from(world, 0.008, 0.012);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(coarse.level[i], fine.level[i], 0.8);
  EXPECT_LT(coarse.noise, -30);
}

/// A tone within a closed sheet, which another body's surface may pierce: hardly anything comes
/// out, and what is inside does not grow once the tone has ended.
void expect_sealed(const std::vector<base::Body>& intruders, const Vec3& velocity, double limit) {
  base::World world = world_of(0.02);
  const Vec3 start(-0.021, 0.004, 0.007);
  world.bodies.push_back(sheet_of("balloon", sphere_at(Vec3::Zero(), 0.075, 6),
                                  std::make_shared<Gliding>(start, velocity)));
  for (const base::Body& intruder : intruders) world.bodies.push_back(intruder);
  world.sources.push_back({.name = "burst",
                           .motion = std::make_shared<Gliding>(start, velocity),
                           .shader = std::make_shared<Emitting>([](double t) {
                             return pulse(t, 1.5e-3, 3e-4) * std::sin(2e3 * std::numbers::pi * t);
                           })});
  // The stencil of a point, 6 cells wide, must not reach the wall.
  Stage stage(world, 0.012, 0.02);
  double outside = 0, early = 0, late = 0;
  for (int n = 0; stage.time() < 0.013; ++n) {
    stage.simulation().step();
    if (n % 8 != 0) continue;
    const Vec3 centre = start + stage.time() * velocity;
    double inside = 0;
    for_each_cell(stage.grid().size, [&](const Cell& c) {
      const double p = std::abs(static_cast<double>(stage.simulation().pressure()[c]));
      const double distance = (stage.grid().centre(c) - centre).norm();
      if (!(distance < 0.075 + 0.022)) outside = std::max(outside, p);
      if (!(distance > 0.05)) inside = std::max(inside, p);
    });
    double& most = stage.time() < 7e-3 ? early : late;
    if (stage.time() > 3e-3) most = std::max(most, inside);
  }
  std::printf("closed sheet: inside %.3g, then %.3g, outside %.2g Pa\n", early, late, outside);
  EXPECT_GT(early, 1);
  EXPECT_LT(late, 1.5 * early);
  EXPECT_LE(outside, limit * early);
}

TEST(DeformingSheetSlow, a_moving_closed_sheet_lets_hardly_anything_out) {
  expect_sealed({}, {2, 1, -0.5}, 1e-3);  // -60 dB; exactly silent as of now
}

TEST(MeetingSheetsSlow, a_solid_that_pierces_a_closed_sheet_lets_hardly_anything_out) {
  expect_sealed({body_of("ball", sphere_at(Vec3::Zero(), 0.032, 5),
                         std::make_shared<Gliding>(Vec3(0.14, 0.02, -0.01), Vec3(-9, -1, 1)))},
                {2, 1, -0.5}, 1e-3);
}

TEST(MeetingSheetsSlow, a_sheet_that_pierces_a_closed_sheet_lets_hardly_anything_out) {
  geometry::TriMesh blade = geometry::plane_mesh(0.06, 0.05, 0.012);
  for (Vec3& v : blade.vertices) v = Eigen::AngleAxisd(0.4, Vec3::UnitX()) * v;
  expect_sealed({sheet_of("blade", blade,
                          std::make_shared<Gliding>(Vec3(0.13, 0.02, -0.01), Vec3(-9, -1, 1)))},
                {2, 1, -0.5}, 1e-3);
}

/// A tone beside two bodies that pass through each other.
void expect_calm(base::Body one, base::Body other) {
  base::World world = world_of(0.022);
  world.bodies.push_back(std::move(one));
  world.bodies.push_back(std::move(other));
  world.sources.push_back(humming_at(-0.1, 0.13, 0.07));
  const HeardTone received = heard_from(world, 0.012, 0.02);
  EXPECT_LT(received.noise, -38);  // two sheets: -41, at a place in their shadow
  for (const double level : received.level) EXPECT_LT(std::abs(level), 40);
}

TEST(MeetingSheetsSlow, a_sheet_and_a_solid_pass_through_each_other_beside_a_tone) {
  expect_calm(sheet_of("plate", geometry::disc_mesh(0.06, 0.01),
                       std::make_shared<Gliding>(Vec3(0.01, -0.05, 0.01), Vec3(1, 5, -1))),
              body_of("ball", sphere_at(Vec3::Zero(), 0.035, 5),
                      std::make_shared<Gliding>(Vec3(-0.01, 0.06, -0.01), Vec3(-1, -5, 2))));
}

TEST(MeetingSheetsSlow, two_sheets_pass_through_each_other_beside_a_tone) {
  geometry::TriMesh upright = geometry::disc_mesh(0.05, 0.01);
  for (Vec3& v : upright.vertices) v = Eigen::AngleAxisd(1.2, Vec3(0.8, 0, 0.6)) * v;
  expect_calm(sheet_of("level", geometry::disc_mesh(0.06, 0.01),
                       std::make_shared<Gliding>(Vec3(0.01, -0.05, 0.01), Vec3(1, 5, -1))),
              sheet_of("upright", upright,
                       std::make_shared<Gliding>(Vec3(-0.01, 0.05, -0.01), Vec3(-1, -5, 2))));
}

}  // namespace
}  // namespace peal::wave

#include <peal/geometry/shapes.h>
#include <peal/util/measure.h>
#include <peal/wave/simulation.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

/// Down, a while on the floor, up again.
class Lowered : public base::Motion {
 public:
  base::Pose pose(double t) const override {
    const double gap = std::max(0.0, speed * std::abs(t - middle) - closed);
    return {.position = Vec3(0.0013, gap, 0.0021)};
  }
  bool is_still() const override { return false; }

  static constexpr double speed = 0.5;    ///< [m/s]
  static constexpr double middle = 0.1;   ///< [s]
  static constexpr double closed = 0.02;  ///< way that it would go into the floor [m]
};

/// A cup with thick walls, upside down over a floor, and a tone inside it.
struct CupOnFloor {
  base::World world = world_of(0.2);
  base::WaveSettings settings = {.max_frequency = 3000, .accuracy = 0.05, .cell_size = 0.01};
  Discretisation discretisation;
  Domain domain;
  Chunk chunk{.begin = 0.0, .end = 0.2};

  CupOnFloor() {
    world.bodies.push_back(
        body_of("floor", geometry::box_mesh({0.8, 0.2, 0.8}, 1), resting_at(0, -0.1, 0)));
    // Half section of the upside-down cup: inside 40 mm wide in radius and 80 mm high.
    world.bodies.push_back(body_of(
        "cup",
        geometry::lathe_mesh(
            geometry::Polygon{{0, 0.08}, {0.04, 0.08}, {0.04, 0}, {0.06, 0}, {0.06, 0.1}, {0, 0.1}},
            0.008),
        std::make_shared<Lowered>()));
    world.sources.push_back({.name = "tone",
                             .motion = resting_at(0.005, 0.035, 0.003),
                             .shader = std::make_shared<Emitting>(
                                 [](double t) { return tone(t, 1000) * (1 - t / 0.2); })});
    discretisation = choose_discretisation(settings, world.rate, world.medium);
    const double h = discretisation.cell_size;
    domain.grid = {Vec3(-20 * h, -12 * h, -20 * h), h, {40, 44, 40}};
    domain.low = {8, 8, 8};
    domain.high = {32, 36, 32};
  }
};

TEST(SealedCavitiesSlow, a_cup_lowered_on_a_floor_and_lifted_neither_drifts_nor_bangs) {
  const CupOnFloor scene;
  Simulation<float> simulation(scene.world, scene.settings, scene.discretisation, scene.domain,
                               scene.chunk);
  const Cell inside = scene.domain.grid.cell_of({0.02, 0.02, 0.0});
  const Cell outside = scene.domain.grid.cell_of({0.11, 0.03, 0.0});
  std::vector<double> cavity, ear;
  while (scene.discretisation.rate.seconds(simulation.now()) < 0.18) {
    simulation.step();
    cavity.push_back(static_cast<double>(simulation.pressure()[inside]));
    ear.push_back(static_cast<double>(simulation.pressure()[outside]));
  }
  const auto part = [&](const std::vector<double>& p, double begin, double end) {
    const double rate = static_cast<double>(scene.discretisation.rate.hz);
    return std::span(p).subspan(static_cast<std::size_t>(begin * rate),
                                static_cast<std::size_t>((end - begin) * rate));
  };
  const auto bend = [](std::span<const double> p) { return util::click(p) * util::rms(p); };
  // Closed from 60 to 140 ms.
  const double open_tone = bend(part(ear, 0.02, 0.04));
  const double opening = bend(part(ear, 0.12, 0.17));
  EXPECT_LT(20 * std::log10(opening / open_tone), 10.0);
  EXPECT_LT(std::abs(util::mean(part(cavity, 0.1, 0.13))),
            0.05 * util::rms(part(cavity, 0.1, 0.13)));
  EXPECT_LT(util::peak(part(ear, 0.09, 0.13)), 2e-3 * util::peak(part(cavity, 0.09, 0.13)));
}

TEST(SealedCavities, only_air_without_a_way_out_is_a_cavity) {
  const Grid grid{Vec3::Zero(), 0.01, {30, 30, 30}};
  const FieldLayout layout = FieldLayout::packed(grid);
  const auto found = [&](const geometry::TriMesh& mesh) {
    geometry::TriMesh moved = mesh;
    for (Vec3& v : moved.vertices) v += Vec3(0.1513, 0.1507, 0.1521);
    const CutFractions body = cut_fractions(grid, moved);
    const CutGeometry geometry = combined(grid, std::span(&body, 1));
    const CutInterval rest = interval(grid, geometry, geometry);
    CutCells<double> cells(grid, layout, {.lambda = 0.5});
    cells.place(geometry);
    SealedCavities<double> cavities(grid, layout, 1e-5);
    cavities.find(rest, cells.nodes());
    return cavities.count();
  };
  geometry::TriMesh hollow = geometry::box_mesh({0.12, 0.12, 0.12}, 1);
  const geometry::TriMesh inner = geometry::box_mesh({0.08, 0.08, 0.08}, 1);
  EXPECT_EQ(found(hollow), 0u);
  for (geometry::Triangle t : inner.triangles) {
    const auto n = static_cast<std::uint32_t>(8);
    hollow.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  }
  hollow.vertices.insert(hollow.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  EXPECT_EQ(found(hollow), 1u);
}

}  // namespace
}  // namespace peal::wave

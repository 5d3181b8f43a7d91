#include <peal/geometry/shapes/shapes.h>
#include <peal/shaders/bubble_source.h>
#include <peal/wave/sources/wall_source.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

constexpr double kCell = 0.004;  // [m]
constexpr base::Rate kRate{96000};

double volume_acceleration(double t) {
  return pulse(t, 0.004, 0.0007);
}

/// A bubble that rises from `from` by `rise` in 10 ms, with an acceleration of its volume that is a
/// pulse.
std::shared_ptr<const base::SurfaceSource> bubble_at(const Vec3& from, const Vec3& rise) {
  base::BubbleSound sound;
  double velocity = 0.0;
  for (std::int64_t n = 0; n < 960; ++n) {
    const double a = volume_acceleration(kRate.seconds(n));
    velocity += a * kRate.step();
    sound.volume_acceleration.push_back(static_cast<float>(a));
    sound.volume_velocity.push_back(static_cast<float>(velocity));
  }
  sound.path = {{.time = 0.0, .position = from, .radius = 0.001},
                {.time = 0.01, .position = from + rise, .radius = 0.001}};
  auto all = std::make_shared<base::BubbleSounds>();
  all->rate = kRate;
  all->sounds.push_back(std::move(sound));
  return std::make_shared<shaders::BubbleSource>(std::move(all));
}

/// The volume acceleration of the air at each step from key to key, as the walls drive the cells.
std::vector<double> fluxes(const base::World& world, double duration) {
  const Grid grid{Vec3(-0.06, -0.03, -0.06), kCell, {30, 30, 30}};
  const Chunk chunk{.end = 1.0};
  Rasteriser rasteriser(world, grid, chunk.segment);
  WallSource<double> walls(world, rasteriser, grid, {kRate, kRate, 4e4}, chunk);
  std::vector<double> result;
  CutGeometry next = rasteriser.at(0.0);
  const auto last = static_cast<std::int64_t>(kRate.samples(duration));
  for (std::int64_t now = 0; now < last;) {
    const int steps = rasteriser.steps_to_next_key(now, kRate.step(), 512);
    const double t = kRate.seconds(now), t_next = kRate.seconds(now + steps);
    const CutGeometry from = std::exchange(next, rasteriser.at(t_next));
    walls.enter(interval(grid, from, next), t, t_next);
    for (int i = 0; i < steps; ++i, ++now) {
      double sum = 0.0;
      for (const double q : walls.source({now, kRate}, static_cast<double>(i) / steps)) sum += q;
      result.push_back(sum * kCell / world.medium.density);
    }
  }
  return result;
}

void expect_exact(const std::vector<double>& flux) {
  double worst = 0.0;
  for (std::size_t n = 0; n < flux.size(); ++n) {
    const double exact = volume_acceleration(kRate.seconds(static_cast<std::int64_t>(n)));
    worst = std::max(worst, std::abs(flux[n] - exact));
  }
  testing::Test::RecordProperty("worst", std::to_string(worst));
  EXPECT_LT(worst, 1e-3);
}

base::Body water(double edge) {
  base::Body body = body_of("water", geometry::cylinder_mesh(0.03, 0.04, edge));
  body.sources.push_back(bubble_at({0.004, 0.01, -0.002}, {-0.002, 0.004, 0.001}));
  return body;
}

TEST(FluxWalls, TheAirMovesByTheVolumeOfABubbleWhileTheSurfaceMoves) {
  base::World world = world_of(1.0, kRate.hz);
  base::Body body = water(0.004);
  body.deformation =
      std::make_shared<Deforming>(body.mesh.vertices, [](const Vec3& rest, double t) -> Vec3 {
        // The top tilts and sinks by 3 mm in 10 ms.
        const double top = std::max(0.0, rest.y()) / 0.02;
        return rest + Vec3(0, top * t * (10.0 * rest.x() - 0.3), 0);
      });
  world.bodies.push_back(std::move(body));
  expect_exact(fluxes(world, 0.01));
}

/// Other triangles each millisecond.
class Renewed : public base::SurfaceSequence {
 public:
  Renewed() {
    for (int i = 1; i < 10; ++i) changes_.push_back(0.001 * i);
    for (int i = 0; i < 10; ++i)
      meshes_.push_back(std::make_shared<const geometry::TriMesh>(
          geometry::cylinder_mesh(0.03, 0.04, 0.004 + 0.001 * (i % 3))));
  }
  std::span<const double> changes() const override { return changes_; }
  std::shared_ptr<const geometry::TriMesh> mesh(std::size_t number) const override {
    return meshes_[number];
  }
  void vertices(std::size_t number, double, std::span<Vec3> out) const override {
    std::ranges::copy(meshes_[number]->vertices, out.begin());
  }
  bool is_sheet() const override { return false; }

 private:
  std::vector<double> changes_;
  std::vector<std::shared_ptr<const geometry::TriMesh>> meshes_;
};

TEST(FluxWalls, TheAirMovesByTheVolumeOfABubbleWhileTheTrianglesChange) {
  base::World world = world_of(1.0, kRate.hz);
  base::Body body = water(0.004);
  body.sequence = std::make_shared<Renewed>();
  world.bodies.push_back(std::move(body));
  expect_exact(fluxes(world, 0.01));
}

TEST(FluxWalls, WaterMovesNoAirThroughItsGlass) {
  base::World world = world_of(1.0, kRate.hz);
  world.bodies.push_back(water(0.004));
  // The glass begins inside of the water on all sides but its top, at 0.02 m.
  world.bodies.push_back(body_of(
      "glass", geometry::lathe_mesh({{0, -0.024}, {0.034, -0.024}, {0.034, 0.05}}, 0.005, 0.004)));
  const Grid grid{Vec3(-0.06, -0.04, -0.06), kCell, {30, 30, 30}};
  const Chunk chunk{.end = 1.0};
  Rasteriser rasteriser(world, grid, chunk.segment);
  WallSource<double> walls(world, rasteriser, grid, {kRate, kRate, 4e4}, chunk);
  const CutGeometry geometry = rasteriser.at(0.0);
  const CutInterval still = interval(grid, geometry, geometry);
  walls.enter(still, 0.0, 0.0);
  const std::span<const double> source = walls.source({384, kRate}, 0.0);
  double above = 0.0, elsewhere = 0.0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const Vec3 centre = grid.centre(still.from[i].cell);
    const bool is_surface =
        std::abs(centre.y() - 0.02) < kCell && std::hypot(centre.x(), centre.z()) < 0.033;
    (is_surface ? above : elsewhere) += source[i];
  }
  EXPECT_NEAR(above * kCell / world.medium.density, volume_acceleration(0.004), 1e-3);
  EXPECT_NEAR(elsewhere, 0.0, 1e-6 * above);
}

}  // namespace
}  // namespace peal::wave

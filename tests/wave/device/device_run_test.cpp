#include <peal/wave/device/cuda_device.h>
#include <peal/wave/device/field_device.h>
#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/wave_plan.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wave/cut_bodies.h"
#include "wave/world_fixture.h"

namespace peal::wave {
namespace {

using base::Vec3;

/// A scene of one chunk, small enough to be computed thread by thread.
struct Scene {
  base::World world = world_of(0.008, 16000);
  base::WaveSettings settings = {.max_frequency = 3000, .accuracy = 0.05};
  std::vector<base::Receiver> receivers = {{.name = "far", .motion = resting_at(0.9, 0.4, 0.3)}};
};

Scene still_sphere() {
  Scene scene;
  scene.world.bodies.push_back(body_of("ball", sphere_at(Vec3::Zero(), 0.05, 8)));
  scene.world.bodies[0].sources.push_back(
      std::make_shared<Pulsating>([](double t) { return pulse(t, 2e-3, 2e-4); }));
  return scene;
}

Scene moving_sphere() {
  Scene scene;
  scene.world.bodies.push_back(
      body_of("ball", sphere_at(Vec3::Zero(), 0.05, 8),
              std::make_shared<Gliding>(Vec3(-0.02, 0, 0), Vec3(7, 2, -3))));
  scene.world.bodies[0].sources.push_back(
      std::make_shared<Pulsating>([](double t) { return pulse(t, 2e-3, 2e-4); }));
  return scene;
}

Scene points() {
  Scene scene = moving_sphere();
  scene.world.bodies[0].sources.clear();
  scene.world.sources.push_back(
      {.name = "resting",
       .motion = resting_at(0.08, 0.01, 0.0),
       .shader = std::make_shared<Emitting>([](double t) { return pulse(t, 2e-3, 2e-4); })});
  scene.world.sources.push_back(
      {.name = "moving",
       .motion = std::make_shared<Gliding>(Vec3(0.05, 0.06, 0), Vec3(10, 0, 5)),
       .shader = std::make_shared<Emitting>([](double t) { return tone(t, 900); })});
  scene.receivers.push_back(
      {.name = "near", .motion = std::make_shared<Gliding>(Vec3(0.1, 0.1, 0), Vec3(20, 0, 0))});
  return scene;
}

Scene viscous() {
  Scene scene = still_sphere();
  scene.settings.viscosity = 1e-4;
  return scene;
}

Scene in_double() {
  Scene scene = moving_sphere();
  scene.settings.precision = base::WaveSettings::Precision::double_;
  return scene;
}

/// A large sheet, which extends into the absorbing layer, and a ball beside it.
Scene sheet() {
  Scene scene = moving_sphere();
  scene.world.bodies[0].motion = std::make_shared<Gliding>(Vec3(0, 0.1, 0), Vec3(4, 1, 0));
  geometry::TriMesh floor;
  floor.vertices = {Vec3(-2, 0, -2), Vec3(2, 0.003, -2), Vec3(2, 0.002, 2), Vec3(-2, 0.001, 2)};
  floor.triangles = {{0, 2, 1}, {0, 3, 2}};
  scene.world.bodies.push_back(body_of("sheet", floor));
  scene.world.bodies.back().is_sheet = true;
  scene.settings.domain = geometry::Box(Vec3(-0.2, -0.15, -0.2), Vec3(0.2, 0.25, 0.2));
  return scene;
}

/// A ball inside a shell that is sealed, with a receiver.
Scene cavity() {
  Scene scene;
  scene.world.bodies.push_back(body_of("ball", sphere_at(Vec3(0.01, 0, 0), 0.05, 8)));
  scene.world.bodies[0].sources.push_back(
      std::make_shared<Pulsating>([](double t) { return pulse(t, 2e-3, 2e-4); }));
  scene.receivers = {{.name = "inside", .motion = resting_at(0.09, 0.01, 0.02)}};
  scene.world.bodies.push_back(body_of("shell", sphere_at(Vec3::Zero(), 0.15, 12)));
  scene.world.bodies.back().is_sheet = true;
  return scene;
}

/// A sheet that swings.
Scene moving_sheet() {
  Scene scene = sheet();
  geometry::TriMesh plate;
  plate.vertices = {Vec3(-0.1, 0, -0.1), Vec3(0.1, 0.01, -0.1), Vec3(0.1, 0, 0.1),
                    Vec3(-0.1, 0.02, 0.1)};
  plate.triangles = {{0, 2, 1}, {0, 3, 2}};
  scene.world.bodies.push_back(
      body_of("plate", plate, std::make_shared<Gliding>(Vec3(0, 0.03, 0), Vec3(0.5, -2, 1))));
  scene.world.bodies.back().is_sheet = true;
  return scene;
}

ChunkRun run_of(const Scene& scene) {
  const auto discretisation =
      choose_discretisation(scene.settings, scene.world.rate, scene.world.medium,
                            cell_for_bodies(scene.world, scene.settings.viscosity));
  const double end = scene.world.rate.seconds(scene.world.samples);
  const Chunk chunk{.begin = 0.0, .end = end};
  return {
      .world = scene.world,
      .settings = scene.settings,
      .discretisation = discretisation,
      .domain = DomainChooser(scene.world, scene.settings, discretisation).domain_for(chunk, end),
      .chunk = chunk,
      .latest_end = end,
      .receivers = scene.receivers};
}

void expect_equal(const ChunkSound& one, const ChunkSound& other, const std::string& where) {
  ASSERT_EQ(one.received.size(), other.received.size());
  double loudest = 0.0;
  for (std::size_t i = 0; i < one.received.size(); ++i) {
    EXPECT_EQ(one.received[i].start, other.received[i].start) << where;
    EXPECT_EQ(one.received[i].samples, other.received[i].samples) << where;
    for (const float x : one.received[i].samples)
      loudest = std::max(loudest, std::abs(static_cast<double>(x)));
  }
  EXPECT_GT(loudest, 1e-6) << where;
  EXPECT_EQ(one.end.loudest, other.end.loudest) << where;
}

struct Case {
  const char* name;
  Scene (*scene)();
};

class DeviceRunSlow : public testing::TestWithParam<Case> {};

TEST_P(DeviceRunSlow, equals_the_processor_to_the_last_bit) {
  const Scene scene = GetParam().scene();
  const ChunkRun one = run_of(scene);
  const ChunkSound processor = run(one, [](std::int64_t) {});
  using device::ThreadOrder;
  for (const ThreadOrder order :
       {ThreadOrder::forwards, ThreadOrder::backwards, ThreadOrder::shuffled}) {
    device::FieldDevice emulated(device::emulated_device(order));
    expect_equal(processor,
                 run(
                     one, [](std::int64_t) {}, nullptr, &emulated),
                 testing::PrintToString(static_cast<int>(order)));
  }
  if (!device::cuda_problem().empty()) return;
  device::FieldDevice cuda(device::cuda_device(0));
  expect_equal(processor,
               run(
                   one, [](std::int64_t) {}, nullptr, &cuda),
               "cuda");
}

INSTANTIATE_TEST_SUITE_P(Scenes, DeviceRunSlow,
                         testing::Values(Case{"still_sphere", still_sphere},
                                         Case{"moving_sphere", moving_sphere},
                                         Case{"points", points}, Case{"viscous", viscous},
                                         Case{"in_double", in_double}, Case{"sheet", sheet},
                                         Case{"cavity", cavity},
                                         Case{"moving_sheet", moving_sheet}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace peal::wave

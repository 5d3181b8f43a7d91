#include <peal/wave/device/cuda_device.h>
#include <peal/wave/device/device_lost.h>
#include <peal/wave/device/field_device.h>
#include <peal/wave/driver/chunk_computer.h>
#include <peal/wave/driver/chunk_run.h>
#include <peal/wave/driver/device_chunk.h>
#include <peal/wave/driver/domain_chooser.h>
#include <peal/wave/driver/slice_plan.h>
#include <peal/wave/driver/slice_record.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
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

/// Staircases have a key at every step.
Scene stairs() {
  Scene scene = moving_sphere();
  scene.settings.boundary = base::WaveSettings::Boundary::staircase;
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
                                         Case{"cavity", cavity}, Case{"stairs", stairs},
                                         Case{"moving_sheet", moving_sheet}),
                         [](const auto& one) { return std::string(one.param.name); });

/// Fails after some runs, as a device does that is taken away.
class FailingDevice : public device::Device {
 public:
  explicit FailingDevice(int runs) : runs_(runs) {}
  std::string name() const override { return "a failing device"; }
  std::size_t free_memory() const override { return whole_->free_memory(); }
  std::size_t cache() const override { return whole_->cache(); }
  device::Buffer allocate(std::size_t size) override { return whole_->allocate(size); }
  device::Buffer allocate_field(std::size_t size) override { return whole_->allocate(size); }
  void release(const device::Buffer& buffer) override { whole_->release(buffer); }
  void clear(const device::Buffer& buffer) override { whole_->clear(buffer); }
  void upload(const device::Buffer&, std::size_t, std::size_t) override {}
  void download(const device::Buffer&, std::size_t, std::size_t) override {}
  void run(const device::StepRun& run) override {
    if (runs_-- == 0) throw device::DeviceLost("it fell off the bus");
    whole_->run(run);
  }
  std::uint64_t mark() override { return 0; }
  void wait(std::uint64_t) override {}

 private:
  std::unique_ptr<Device> whole_ = device::emulated_device(device::ThreadOrder::forwards);
  int runs_;
};

std::shared_ptr<device::FieldDevice> failing_after(int runs) {
  return std::make_shared<device::FieldDevice>(std::make_unique<FailingDevice>(runs));
}

TEST(DeviceRun, several_devices_share_the_chunks_of_a_plan_even_if_one_fails) {
  const Scene scene = still_sphere();
  constexpr std::size_t chunks = 6;
  WavePlan plan;
  for (std::size_t i = 0; i < chunks; ++i) plan.runs.push_back(run_of(scene));
  const ChunkSound processor = run(plan.runs[0], [](std::int64_t) {});
  constexpr int never = 1 << 20;
  ChunkComputer computer({failing_after(never), failing_after(3), failing_after(never)});
  std::vector<ChunkSound> sounds(chunks);
  computer.compute_all(plan, [&](std::size_t i, std::size_t device) {
    EXPECT_LT(device, 3u);
    sounds[i] = computer.compute(
        plan.runs[i], [](std::int64_t) {}, nullptr, device);
  });
  for (std::size_t i = 0; i < chunks; ++i) expect_equal(processor, sounds[i], std::to_string(i));
  EXPECT_LE(computer.notices().size(), 1u);  // none if the others took all chunks
}

/// Its memory is full after some buffers.
class SmallDevice : public FailingDevice {
 public:
  explicit SmallDevice(int buffers) : FailingDevice(1 << 20), buffers_(buffers) {}
  device::Buffer allocate(std::size_t size) override {
    if (buffers_-- <= 0) throw device::DeviceLost("out of memory");
    return FailingDevice::allocate(size);
  }
  device::Buffer allocate_field(std::size_t size) override { return allocate(size); }

 private:
  std::atomic<int> buffers_;
};

TEST(DeviceRun, a_chunk_that_finds_no_memory_at_any_moment_is_computed_by_the_processor) {
  const Scene scene = moving_sphere();
  const ChunkRun one = run_of(scene);
  const ChunkSound processor = run(one, [](std::int64_t) {});
  for (const int buffers : {2, 3, 4, 6, 9, 14}) {
    ChunkComputer computer(
        {std::make_shared<device::FieldDevice>(std::make_unique<SmallDevice>(buffers))});
    expect_equal(processor, computer.compute(one, [](std::int64_t) {}), std::to_string(buffers));
    ASSERT_EQ(computer.notices().size(), 1u) << buffers;
    EXPECT_NE(computer.notices()[0].find("out of memory"), std::string::npos);
  }
}

TEST(DeviceRun, a_chunk_whose_device_fails_is_computed_by_the_processor_with_a_notice) {
  const Scene scene = still_sphere();
  const ChunkRun one = run_of(scene);
  const ChunkSound processor = run(one, [](std::int64_t) {});
  ChunkComputer computer({failing_after(2)});
  expect_equal(processor, computer.compute(one, [](std::int64_t) {}), "after the failure");
  ASSERT_EQ(computer.notices().size(), 1u);
  EXPECT_NE(computer.notices()[0].find("it fell off the bus"), std::string::npos);
  // Later chunks do not ask it again.
  expect_equal(processor, computer.compute(one, [](std::int64_t) {}), "later");
  EXPECT_EQ(computer.notices().size(), 1u);
}

TEST(DeviceRun, slices_are_those_of_the_processor) {
  const Scene scene = moving_sphere();
  const ChunkRun one = run_of(scene);
  const auto plan = plan_slices({.rate = 2000.0}, std::span(&one, 1));
  ASSERT_TRUE(plan);
  SliceRecord by_processor(*plan, one), by_device(*plan, one);
  device::FieldDevice emulated(device::emulated_device(device::ThreadOrder::forwards));
  run(
      one, [](std::int64_t) {}, &by_processor);
  run(
      one, [](std::int64_t) {}, &by_device, &emulated);
  const ChunkSlices wanted = by_processor.take(), got = by_device.take();
  EXPECT_GT(wanted.count, 5u);
  EXPECT_EQ(got.first, wanted.first);
  EXPECT_EQ(got.count, wanted.count);
  EXPECT_EQ(got.values, wanted.values);
}

TEST(DeviceRun, schemes_that_only_the_processor_has_are_named) {
  using Settings = base::WaveSettings;
  EXPECT_EQ(device_obstacle({}), "");
  EXPECT_NE(device_obstacle({.boundary = Settings::Boundary::ghost_cells}).find("ghost_cells"),
            std::string::npos);
  EXPECT_EQ(device_obstacle({.boundary = Settings::Boundary::staircase}), "");
  EXPECT_NE(device_obstacle({.outside = Settings::Outside::engquist_majda}).find("engquist_majda"),
            std::string::npos);
  EXPECT_NE(device_obstacle({.far_field = Settings::FarField::expansion}).find("expansion"),
            std::string::npos);
}

}  // namespace
}  // namespace peal::wave

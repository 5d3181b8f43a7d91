#include <peal/util/parallel.h>
#include <peal/util/processor_time.h>
#include <peal/wave/device/chunk_field.h>
#include <peal/wave/device/cuda_device.h>
#include <peal/wave/device/field_device.h>
#include <peal/wave/device/key_writer.h>
#include <peal/wave/device/step_kernels.h>
#include <peal/wave/driver/device_chunk.h>
#include <peal/wave/driver/simulation.h>
#include <peal/wave/grid/time_step.h>

#include <bench/cup_phone.h>
#include <bench/wave_devices.h>
#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace peal::bench {

namespace {

using wave::device::Buffer;

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + values.size() / 2);
  return values[values.size() / 2];
}

/// A device that takes no time, since it does nothing: the field stays silent.
class HollowDevice : public wave::device::Device {
 public:
  std::string name() const override { return "a hollow device"; }
  std::size_t free_memory() const override { return std::numeric_limits<std::size_t>::max(); }
  std::size_t cache() const override { return std::size_t{32} << 20; }
  Buffer allocate(std::size_t size) override {
    auto* const memory = static_cast<std::byte*>(std::malloc(size));
    std::memset(memory, 0, size);
    return {memory, memory, size};
  }
  Buffer allocate_field(std::size_t size) override { return allocate(size); }
  void release(const Buffer& buffer) override { std::free(buffer.device); }
  void clear(const Buffer&) override {}
  void upload(const Buffer&, std::size_t, std::size_t) override {}
  void download(const Buffer& buffer, std::size_t begin, std::size_t size) override {
    std::memset(buffer.host + begin, 0, size);
  }
  void run(const wave::device::StepRun&) override {}
  std::uint64_t mark() override { return 0; }
  void wait(std::uint64_t) override {}
};

constexpr std::int64_t block = 256, warm_up = 8 * block;

/// The time that a device takes for a step of all runs, with everything [s].
double step_seconds(std::span<const wave::ChunkRun> runs, wave::device::FieldDevice& device,
                    std::int64_t steps) {
  std::barrier ready(static_cast<std::ptrdiff_t>(runs.size()) + 1),
      done(static_cast<std::ptrdiff_t>(runs.size()) + 1);
  std::vector<std::jthread> threads;
  for (const wave::ChunkRun& run : runs)
    threads.emplace_back([&] {
      wave::DeviceChunk<float> chunk(run, device, nullptr);
      const std::int64_t latest = chunk.now() + warm_up + steps + block;
      for (std::int64_t i = 0; i < warm_up; i += block) chunk.run(block, latest);
      ready.arrive_and_wait();
      for (std::int64_t i = 0; i < steps; i += block) chunk.run(block, latest);
      done.arrive_and_wait();
    });
  ready.arrive_and_wait();
  const double start = now_seconds();
  done.arrive_and_wait();
  return (now_seconds() - start) / static_cast<double>(steps);
}

/// The time of a step of an n^3 grid without layer, nodes and receivers [s].
double plain_seconds(wave::device::FieldDevice& device, int n) {
  using namespace wave::device;
  const wave::Grid grid{.size = {n, n, n}};
  const wave::FarFieldSetup setup{.grid = grid, .low = {3, 3, 3}, .high = {n - 3, n - 3, n - 3}};
  const ChunkField<float> field(device.pool(), grid, {.cut = {.lambda = 0.57}, .layer_cells = 0},
                                wave::KirchhoffSurface(setup));
  const Tables key = write_empty_key<float>(device.pool());
  constexpr std::uint32_t steps = 64, blocks = 64;
  const FieldMemory<float>& m = field.memory();
  std::vector<std::future<void>> waiting;
  double start = 0.0;
  for (std::uint32_t number = 0; number < 2 * blocks; ++number) {
    StepBlock<float> some;
    if (number == 0) {
      some.clears.push_back(field.fields());
      some.uploads = {{field.head().buffer, 0, field.head().size}, {key.buffer, 0, key.size}};
    }
    const Tables tables = write_tables(device.pool(), 65536, [&](TableWriter& to) {
      some.entry.orders = to.make<StepOrder<float>>(steps, [&](std::size_t i) {
        StepOrder<float> order{.turn = static_cast<std::uint32_t>(number * steps + i)};
        order.p = m.field[order.turn % 3], order.p_old = m.field[(order.turn + 2) % 3];
        order.p_new = m.field[(order.turn + 1) % 3];
        order.psi = m.psi[order.turn % 2], order.psi_new = m.psi[(order.turn + 1) % 2];
        order.key = on_device<KeyTables<float>>(*key.buffer);
        order.record = -1;
        return order;
      });
    });
    some.uploads.push_back({tables.buffer, 0, tables.size});
    some.needs.assign(steps, bit_of(Kernel::advance));
    some.items[static_cast<std::size_t>(Kernel::advance)] = field.plane_blocks() * advance_threads;
    some.entry.memory = m;
    some.entry.steps = steps;
    some.entry.blocks = field.plane_blocks();
    some.holds = {tables.buffer, key.buffer, field.head().buffer, field.fields()};
    waiting.push_back(device.queue<float>().submit(std::move(some)));
    if (number + 1 != blocks && number + 1 != 2 * blocks) continue;
    for (std::future<void>& one : waiting) one.get();
    waiting.clear();
    if (number + 1 == blocks) start = now_seconds();
  }
  return (now_seconds() - start) / (steps * blocks);
}

void measure_host(Report& report) {
  const util::ThreadLimit limit(1);
  const CupPhone scene(0);
  const wave::ChunkRun run = scene.run(0);
  wave::device::FieldDevice hollow(std::make_unique<HollowDevice>());
  wave::Simulation<float> simulation(run.world, run.settings, run.discretisation, run.domain,
                                     run.chunk);
  constexpr int steps = 8 * 4096;
  std::optional<wave::DeviceChunk<float>> chunk;
  const auto times = median_times({[&] {
                                     chunk.reset();
                                     chunk.emplace(run, hollow, nullptr);
                                     const std::int64_t latest = chunk->now() + steps + block;
                                     for (int i = 0; i < steps; i += block)
                                       chunk->run(block, latest);
                                   },
                                   [&] {
                                     for (int i = 0; i < steps / 8; ++i) simulation.step();
                                   }},
                                  3);
  const double host = times[0].cpu / steps, step = times[1].cpu / (steps / 8);
  report.add("cup-phone", "host's work beside a device", 1e6 * host, "us");
  report.add("cup-phone", "host's work beside a device / a step of the processor", host / step,
             "1");
}

struct Size {
  const char* name;
  int cells, chunks;
  double limit;  ///< of a step of a chunk [us]
};

void measure_cuda(Report& report) {
  wave::device::FieldDevice device(wave::device::cuda_device(0));
  constexpr int rounds = 5;
  const auto bare = [&](int n) {
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) times.push_back(plain_seconds(device, n));
    return median(times);
  };
  const double bare_88 = bare(88);
  report.add("88^3 on a device", "plain grid", 1e6 * bare_88, "us");
  // The ratios to a plain grid of 3.1 us that the limits mean.
  const double scale = bare_88 / 3.1e-6;
  for (const Size& size :
       {Size{"88^3 on a device", 88, 1, 6.8}, Size{"3 x 88^3 on a device", 88, 3, 4.7},
        Size{"10 x cup-phone's own domain on a device", 0, 10, 1.1}}) {
    const CupPhone scene(size.cells);
    std::vector<wave::ChunkRun> runs;
    for (int i = 0; i < size.chunks; ++i) runs.push_back(scene.run(i));
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) times.push_back(step_seconds(runs, device, 32 * block));
    const double each = median(times) / size.chunks;
    report.add_at_most(size.name, "a step of a chunk, with everything", 1e6 * each, "us",
                       size.limit);
    report.add(size.name, "the same on a device whose plain grid takes 3.1 us", 1e6 * each / scale,
               "us");
  }
  const CupPhone large(256);
  const wave::ChunkRun run = large.run(0);
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i)
    times.push_back(step_seconds(std::span(&run, 1), device, 8 * block));
  const double cells = static_cast<double>(run.domain.grid.cells());
  report.add("256^3 on a device", "plain grid", 1e-9 * cells / bare(256), "Gcell/s");
  report.add_at_most("256^3 on a device", "a step of a cell, with everything",
                     1e12 * median(times) / cells, "ps", 1e3 / 160.0);
}

}  // namespace

void measure_devices(Report& report) {
  measure_host(report);
  if (wave::device::cuda_problem().empty()) measure_cuda(report);
}

}  // namespace peal::bench

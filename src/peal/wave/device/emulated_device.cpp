#include <peal/util/denormals.h>
#include <peal/wave/device/change_kernels.h>
#include <peal/wave/device/device.h>
#include <peal/wave/device/hearing_kernels.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <numeric>
#include <random>
#include <vector>

namespace peal::wave::device {

namespace {

class EmulatedDevice : public Device {
 public:
  explicit EmulatedDevice(ThreadOrder order) : order_(order) {}

  std::string name() const override { return "an emulated device"; }
  std::size_t free_memory() const override { return std::numeric_limits<std::size_t>::max(); }
  std::size_t cache() const override { return std::size_t{32} << 20; }

  Buffer allocate(std::size_t size) override {
    constexpr std::size_t alignment = 256;
    auto* const memory = static_cast<std::byte*>(
        std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment));
    if (memory == nullptr) throw std::bad_alloc();
    std::memset(memory, poison, size);
    return {memory, memory, size};
  }
  Buffer allocate_field(std::size_t size) override { return allocate(size); }
  void release(const Buffer& buffer) override { std::free(buffer.device); }
  void clear(const Buffer& buffer) override { std::memset(buffer.device, 0, buffer.size); }
  void upload(const Buffer&, std::size_t, std::size_t) override {}
  void download(const Buffer&, std::size_t, std::size_t) override {}
  std::uint64_t mark() override { return 0; }
  void wait(std::uint64_t) override {}

  void run(const StepRun& run) override {
    const util::FlushDenormals flush;
    if (run.is_double) {
      run_steps(run, static_cast<const BatchEntry<double>*>(run.entries));
    } else {
      run_steps(run, static_cast<const BatchEntry<float>*>(run.entries));
    }
  }

 private:
  static constexpr int poison = 0xff;  // not a number

  template <class Real>
  void run_steps(const StepRun& run, const BatchEntry<Real>* entries) {
    for (std::uint32_t step = 0; step < run.needs.size(); ++step)
      for (std::uint32_t i = 0; i < run.chunks; ++i)
        if (step < entries[i].steps) run_step(run, entries[i], step);
    for (std::uint32_t i = 0; i < run.chunks; ++i) {
      each(blocks(run, Kernel::integrate) * hearing_threads,
           [&](std::uint32_t item) { integrate(entries[i], item); });
      each(blocks(run, Kernel::add_up) * hearing_threads,
           [&](std::uint32_t item) { add_up(entries[i], item); });
      each(blocks(run, Kernel::check) * record_threads,
           [&](std::uint32_t item) { check_row(entries[i], item); });
    }
  }

  template <class Real>
  void run_step(const StepRun& run, const BatchEntry<Real>& entry, std::uint32_t step) {
    const StepOrder<Real>& order = entry.orders[step];
    const FieldMemory<Real>& memory = entry.memory;
    const auto needs = [&](Kernel kernel) { return (run.needs[step] & bit_of(kernel)) != 0; };
    const auto in_phases = [&](int phases, const auto& phase_of) {
      for (int phase = 0; phase < phases; ++phase)
        each(change_threads, [&](std::uint32_t thread) {
          phase_of(memory, order, phase, Worker{thread, change_threads});
        });
    };
    if (needs(Kernel::begin) && order.begins)
      in_phases(begin_phases, [](auto&&... all) { begin(all...); });
    if (needs(Kernel::move) && order.moves)
      each(blocks(run, Kernel::move) * move_threads,
           [&](std::uint32_t i) { move(memory, order, i); });
    if (needs(Kernel::open) && order.moves && has_openings(order))
      in_phases(open_phases, [](auto&&... all) { open(all...); });
    each(
        std::min(blocks(run, Kernel::advance), entry.blocks) * advance_threads,
        [&](std::uint32_t i) { advance(memory, order, i / advance_threads, i % advance_threads); });
    if (needs(Kernel::complete) && has_completion(order))
      in_phases(complete_phases, [](auto&&... all) { complete(all...); });
    if (needs(Kernel::record) && (order.record >= 0 || order.probes != 0))
      each(blocks(run, Kernel::record) * record_threads,
           [&](std::uint32_t i) { record(memory, order, entry.per_cell, i); });
  }
  static std::uint32_t blocks(const StepRun& run, Kernel kernel) {
    return run.blocks[static_cast<std::size_t>(kernel)];
  }

  /// Calls `visit` for 0 to count - 1 in the order of this device.
  template <class Visit>
  void each(std::uint32_t count, const Visit& visit) {
    switch (order_) {
      case ThreadOrder::forwards:
        for (std::uint32_t i = 0; i < count; ++i) visit(i);
        break;
      case ThreadOrder::backwards:
        for (std::uint32_t i = count; i > 0; --i) visit(i - 1);
        break;
      case ThreadOrder::shuffled:
        shuffled_.resize(count);
        std::iota(shuffled_.begin(), shuffled_.end(), 0u);
        std::ranges::shuffle(shuffled_, random_);
        for (const std::uint32_t i : shuffled_) visit(i);
        break;
    }
  }

  ThreadOrder order_;
  std::mt19937 random_{1};
  std::vector<std::uint32_t> shuffled_;
};

}  // namespace

std::unique_ptr<Device> emulated_device(ThreadOrder order) {
  return std::make_unique<EmulatedDevice>(order);
}

}  // namespace peal::wave::device

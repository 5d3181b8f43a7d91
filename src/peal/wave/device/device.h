#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace peal::wave::device {

/// The kernels of a step (step_kernels.h, change_kernels.h) in their order, and those after the
/// last one (hearing_kernels.h, and the check of the whole field).
enum class Kernel { begin, move, open, advance, complete, record, integrate, add_up, check };
inline constexpr std::size_t kernels = 9;
using KernelSet = std::uint16_t;

/// Some steps of all chunks of a batch, each with as many as its entry says; `entries` are
/// BatchEntry in the device's memory.
struct StepRun {
  bool is_double = false;
  std::uint32_t chunks = 0;
  const void* entries = nullptr;
  /// By step: the kernels that any chunk needs, a bit for each.
  std::vector<KernelSet> needs;
  /// By kernel: blocks of each chunk; those that are divided into phases have one.
  std::array<std::uint32_t, kernels> blocks{};

  bool operator==(const StepRun&) const = default;
};
constexpr KernelSet bit_of(Kernel kernel) {
  return static_cast<KernelSet>(1u << static_cast<unsigned>(kernel));
}

/// Memory of a device and as much of the host's from which it is filled, or into which it is read.
/// Both are one where the device works in the memory of the host.
struct Buffer {
  std::byte *device = nullptr, *host = nullptr;
  std::size_t size = 0;
};

/// A device that steps fields. Everything is done in the order in which it was asked for. Functions
/// throw DeviceLost if the device fails or its memory is full. One thread uses it at a time, except
/// for allocate and release.
class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  /// The memory that is free at present, and the size of its cache [bytes].
  virtual std::size_t free_memory() const = 0;
  virtual std::size_t cache() const = 0;

  virtual Buffer allocate(std::size_t size) = 0;
  /// Memory of the device alone.
  virtual Buffer allocate_field(std::size_t size) = 0;
  virtual void release(const Buffer& buffer) = 0;

  virtual void clear(const Buffer& buffer) = 0;
  virtual void upload(const Buffer& buffer, std::size_t begin, std::size_t size) = 0;
  virtual void download(const Buffer& buffer, std::size_t begin, std::size_t size) = 0;
  virtual void run(const StepRun& run) = 0;

  /// Marks the end of what was asked for so far; `wait` returns when the device has come to it.
  virtual std::uint64_t mark() = 0;
  virtual void wait(std::uint64_t mark) = 0;
};

/// The order in which the emulated device runs blocks and threads.
enum class ThreadOrder { forwards, backwards, shuffled };

/// Runs the kernels on the processor, thread by thread, for tests.
std::unique_ptr<Device> emulated_device(ThreadOrder order);

}  // namespace peal::wave::device

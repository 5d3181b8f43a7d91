#include <peal/util/parallel.h>
#include <peal/wave/device/device_lost.h>
#include <peal/wave/device/field_device.h>
#include <peal/wave/driver/chunk_computer.h>
#include <peal/wave/driver/device_chunk.h>
#include <peal/wave/driver/slice_record.h>
#include <peal/wave/driver/wave_device.h>

#include <exception>
#include <thread>

namespace peal::wave {

void ChunkComputer::compute_all(
    const WavePlan& plan,
    const std::function<void(std::size_t run, std::size_t device)>& task) const {
  const std::size_t count = plan.runs.size();
  if (devices_.empty()) {
    util::parallel_for(static_cast<std::int64_t>(count),
                       [&](std::int64_t i) { task(static_cast<std::size_t>(i), 0); });
    return;
  }
  // These threads mostly wait for their device. One whose chunk has fallen silent takes the next.
  std::atomic<std::size_t> next = 0;
  std::exception_ptr problem;
  std::mutex mutex;
  const auto work = [&](std::size_t device) {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        task(i, device);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!problem) problem = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t device = 0; device < devices_.size(); ++device)
      for (std::size_t i = 0; i < chunks_at_once(plan, *devices_[device], devices_.size()); ++i)
        threads.emplace_back(work, device);
  }
  if (problem) std::rethrow_exception(problem);
}

ChunkSound ChunkComputer::compute(const ChunkRun& run,
                                  const std::function<void(std::int64_t)>& advance,
                                  SliceRecord* slices, std::size_t device) {
  if (devices_.empty() || failed_[device]) return wave::run(run, advance, slices);
  try {
    return wave::run(run, advance, slices, devices_[device].get());
  } catch (const device::DeviceLost& error) {
    if (!failed_[device].exchange(true)) {
      const std::lock_guard lock(mutex_);
      failures_.emplace_back(error.what());
    }
  } catch (const UnboundedField&) {
    // The processor finds out where.
  }
  if (slices != nullptr) slices->restart();
  return wave::run(run, advance, slices);
}

std::vector<std::string> ChunkComputer::notices() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> notices;
  for (const std::string& failure : failures_)
    notices.push_back("a graphics processor failed (" + failure +
                      "): chunks that it had not finished were computed by the processor");
  return notices;
}

}  // namespace peal::wave

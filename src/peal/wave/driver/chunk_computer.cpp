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

void ChunkComputer::compute_all(const WavePlan& plan,
                                const std::function<void(std::size_t)>& task) const {
  const std::size_t count = plan.runs.size();
  if (device_ == nullptr) {
    util::parallel_for(static_cast<std::int64_t>(count),
                       [&](std::int64_t i) { task(static_cast<std::size_t>(i)); });
    return;
  }
  // These threads mostly wait for the device. One whose chunk has fallen silent takes the next.
  std::atomic<std::size_t> next = 0;
  std::exception_ptr problem;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!problem) problem = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < chunks_at_once(plan, *device_); ++i) threads.emplace_back(work);
  }
  if (problem) std::rethrow_exception(problem);
}

ChunkSound ChunkComputer::compute(const ChunkRun& run,
                                  const std::function<void(std::int64_t)>& advance,
                                  SliceRecord* slices) {
  if (device_ == nullptr || has_failed_) return wave::run(run, advance, slices);
  try {
    return wave::run(run, advance, slices, device_.get());
  } catch (const device::DeviceLost& error) {
    const std::lock_guard lock(mutex_);
    has_failed_ = true;
    if (failure_.empty()) failure_ = error.what();
  } catch (const UnboundedField&) {
    // The processor finds out where.
  }
  if (slices != nullptr) slices->restart();
  return wave::run(run, advance, slices);
}

std::vector<std::string> ChunkComputer::notices() const {
  const std::lock_guard lock(mutex_);
  if (failure_.empty()) return {};
  return {"the graphics processor failed (" + failure_ +
          "): chunks that were not finished were computed by the processor"};
}

}  // namespace peal::wave

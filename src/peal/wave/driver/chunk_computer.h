#pragma once

#include <peal/wave/driver/chunk_run.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace peal::wave {

/// Computes chunks by devices, if there are any, or by the processor, with the same result. All
/// take the next chunk of one queue. If a device fails, the chunks that it has in flight and those
/// that it would have taken later are computed by the processor.
class ChunkComputer {
 public:
  using Devices = std::vector<std::shared_ptr<device::FieldDevice>>;

  /// No device: the processor.
  explicit ChunkComputer(Devices devices) : devices_(std::move(devices)) {
    failed_ = std::vector<std::atomic<bool>>(devices_.size());
  }

  /// Calls `task` with the number of each run of the plan, several at once, and the number of the
  /// device that is to compute it. The first exception that a task throws is thrown when all have
  /// ended.
  void compute_all(const WavePlan& plan,
                   const std::function<void(std::size_t run, std::size_t device)>& task) const;

  ChunkSound compute(const ChunkRun& run, const std::function<void(std::int64_t)>& advance,
                     SliceRecord* slices = nullptr, std::size_t device = 0);

  /// Notices for the user.
  std::vector<std::string> notices() const;

 private:
  Devices devices_;
  std::vector<std::atomic<bool>> failed_;  ///< by device
  mutable std::mutex mutex_;
  std::vector<std::string> failures_;
};

}  // namespace peal::wave

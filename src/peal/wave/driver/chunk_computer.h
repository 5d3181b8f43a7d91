#pragma once

#include <peal/wave/driver/chunk_run.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace peal::wave {

/// Computes chunks by a device, if there is one, or by the processor, with the same result. If the
/// device fails, the chunks in flight and all later ones are computed by the processor.
class ChunkComputer {
 public:
  /// Null: the processor.
  explicit ChunkComputer(std::shared_ptr<device::FieldDevice> device)
      : device_(std::move(device)) {}

  /// Calls `task` with the number of each run of the plan, several at once. The first exception
  /// that a task throws is thrown when all have ended.
  void compute_all(const WavePlan& plan, const std::function<void(std::size_t)>& task) const;

  ChunkSound compute(const ChunkRun& run, const std::function<void(std::int64_t)>& advance,
                     SliceRecord* slices = nullptr);

  /// Notices for the user.
  std::vector<std::string> notices() const;

 private:
  std::shared_ptr<device::FieldDevice> device_;
  std::atomic<bool> has_failed_ = false;
  mutable std::mutex mutex_;
  std::string failure_;
};

}  // namespace peal::wave

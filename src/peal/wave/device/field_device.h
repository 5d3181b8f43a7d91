#pragma once

#include <peal/wave/device/batch_queue.h>

#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

namespace peal::wave::device {

/// A device, its memory and the queue of what it has to do. Chunks on different threads share it.
class FieldDevice {
 public:
  explicit FieldDevice(std::unique_ptr<Device> device)
      : device_(std::move(device)), pool_(*device_) {}

  Device& device() { return *device_; }
  BufferPool& pool() { return pool_; }
  template <class Real>
  BatchQueue<Real>& queue() {
    const std::lock_guard lock(mutex_);
    auto& queue = [&]() -> auto& {
      if constexpr (std::is_same_v<Real, float>) {
        return single_;
      } else {
        return double_;
      }
    }
    ();
    if (!queue) queue = std::make_unique<BatchQueue<Real>>(*device_, pool_);
    return *queue;
  }

 private:
  std::unique_ptr<Device> device_;
  BufferPool pool_;
  std::mutex mutex_;
  std::unique_ptr<BatchQueue<float>> single_;
  std::unique_ptr<BatchQueue<double>> double_;
};

}  // namespace peal::wave::device

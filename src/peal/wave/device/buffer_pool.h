#pragma once

#include <peal/wave/device/device.h>

#include <algorithm>
#include <bit>
#include <compare>
#include <map>
#include <memory>
#include <mutex>

namespace peal::wave::device {

/// Buffers of a device that are used again and again: allocating one stops the device.
class BufferPool {
 public:
  explicit BufferPool(Device& device) : device_(device) {}
  ~BufferPool() {
    for (const auto& [kind, buffer] : spare_) device_.release(buffer);
  }
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// A buffer of at least `size` bytes, with arbitrary contents, that returns to the pool when
  /// nobody holds it any more.
  std::shared_ptr<const Buffer> take(std::size_t size) {
    return take({std::bit_ceil(std::max(size, smallest)), true});
  }
  /// The same in the memory of the device alone.
  std::shared_ptr<const Buffer> take_field(std::size_t size) {
    return take({(size + of_fields - 1) / of_fields * of_fields, false});
  }

 private:
  static constexpr std::size_t smallest = 4096, of_fields = std::size_t{1} << 20;

  struct Kind {
    std::size_t size;
    bool on_host;
    auto operator<=>(const Kind&) const = default;
  };

  std::shared_ptr<const Buffer> take(const Kind& kind) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = spare_.find(kind); found != spare_.end()) {
        const Buffer buffer = found->second;
        spare_.erase(found);
        return shared(buffer);
      }
    }
    return shared(kind.on_host ? device_.allocate(kind.size) : device_.allocate_field(kind.size));
  }
  std::shared_ptr<const Buffer> shared(const Buffer& buffer) {
    return {new Buffer(buffer), [this](const Buffer* done) {
              const std::lock_guard lock(mutex_);
              spare_.emplace(Kind{done->size, done->host != nullptr}, *done);
              delete done;
            }};
  }

  Device& device_;
  std::mutex mutex_;
  std::multimap<Kind, Buffer> spare_;
};

}  // namespace peal::wave::device

#pragma once

#include <peal/wave/device/buffer_pool.h>

#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace peal::wave::device {

/// Writes arrays into a buffer, one after the other, and tells where the device finds them. Where
/// the buffer is too small, nothing is written, but counted: then it is done again with a larger
/// one (write_tables).
class TableWriter {
 public:
  explicit TableWriter(const Buffer& buffer) : buffer_(buffer) {}

  /// Copies values; null if there are none.
  template <class T>
  T* add(std::span<const T> values) {
    T* const host = reserve<T>(values.size());
    if (host != nullptr) std::memcpy(host, values.data(), values.size_bytes());
    return on_device<T>();
  }
  template <class T>
  T* add(const std::vector<T>& values) {
    return add(std::span<const T>(values));
  }
  /// Zeros.
  template <class T>
  T* zeros(std::size_t count) {
    T* const host = reserve<T>(count);
    if (host != nullptr) std::memset(static_cast<void*>(host), 0, count * sizeof(T));
    return on_device<T>();
  }
  /// The values `value(0)`, ..., `value(count - 1)`.
  template <class T, class Value>
  T* make(std::size_t count, const Value& value) {
    T* const host = reserve<T>(count);
    if (host != nullptr)
      for (std::size_t i = 0; i < count; ++i) host[i] = value(i);
    return on_device<T>();
  }
  /// Room for values that the host writes later; null if the buffer is too small.
  template <class T>
  T* reserve(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    constexpr std::size_t alignment = 64;
    last_ = (end_ + alignment - 1) / alignment * alignment;
    end_ = last_ + count * sizeof(T);
    return count > 0 && end_ <= buffer_.size ? reinterpret_cast<T*>(buffer_.host + last_) : nullptr;
  }
  /// Where the device finds what was added or reserved last.
  template <class T>
  T* on_device() const {
    return reinterpret_cast<T*>(buffer_.device + last_);
  }

  std::size_t size() const { return end_; }
  bool fits() const { return end_ <= buffer_.size; }

 private:
  const Buffer& buffer_;
  std::size_t last_ = 0, end_ = 0;
};

/// Tables in a buffer, of which only a part is used.
struct Tables {
  std::shared_ptr<const Buffer> buffer;
  std::size_t size = 0;
};

/// Calls `write` with a writer into a buffer of the pool; the size need not be known before.
template <class Write>
Tables write_tables(BufferPool& pool, std::size_t expected, const Write& write) {
  while (true) {
    Tables tables{.buffer = pool.take(expected)};
    TableWriter writer(*tables.buffer);
    write(writer);
    tables.size = writer.size();
    if (writer.fits()) return tables;
    expected = writer.size();
  }
}

}  // namespace peal::wave::device

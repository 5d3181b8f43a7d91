#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace peal::wave {

/// Zeroed memory that starts on a cache line (64 bytes, also the widest vector).
template <class Real>
class AlignedArray {
 public:
  static constexpr std::size_t alignment = 64;                   ///< [bytes]
  static constexpr std::size_t line = alignment / sizeof(Real);  ///< values a cache line holds

  AlignedArray() = default;
  explicit AlignedArray(std::size_t size)
      : values_(
            static_cast<Real*>(::operator new(size * sizeof(Real), std::align_val_t(alignment)))),
        size_(size) {
    std::fill_n(values_.get(), size, Real(0));
  }

  /// The least number of half cache lines, so that vectors of 32 bytes never straddle two lines,
  /// that holds `count` values.
  static constexpr std::size_t row_stride(std::size_t count) {
    return (count + line / 2 - 1) / (line / 2) * (line / 2);
  }

  Real* data() { return values_.get(); }
  const Real* data() const { return values_.get(); }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(Real); }

 private:
  struct Free {
    void operator()(Real* values) const { ::operator delete(values, std::align_val_t(alignment)); }
  };
  std::unique_ptr<Real, Free> values_;
  std::size_t size_ = 0;
};

}  // namespace peal::wave

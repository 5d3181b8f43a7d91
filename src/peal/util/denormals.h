#pragma once

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace peal::util {

/// While it exists, denormal results of this thread become 0, and denormal operands count as 0. A
/// decaying field ends in such numbers, and processors are many times slower with them.
///
/// The mode belongs to a thread: each computing thread needs a guard of its own, or the result
/// depends on which thread did the work. The guard has no effect on processors without this mode.
class FlushDenormals {
 public:
#if defined(__SSE__) || defined(_M_X64)
  FlushDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | flush_to_zero | zero_operands);
  }
  ~FlushDenormals() {
    _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned flush_to_zero = 0x8000, zero_operands = 0x0040;
  unsigned before_;

 public:
#else
  FlushDenormals() {}
  ~FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace peal::util

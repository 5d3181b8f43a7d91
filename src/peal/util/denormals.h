#pragma once

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace peal::util {

/// While it lives, results of this thread that are too small for a normal number become 0, and such
/// operands count as 0. A decaying field ends in such numbers, and processors are many times slower
/// with them.
///
/// The state belongs to a thread: whoever computes must hold a guard of their own, or the bytes
/// depend on which thread did the work. Does nothing where there is no such switch.
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

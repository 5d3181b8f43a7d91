#pragma once

namespace peal::wave {

// PEAL_PORTABLE marks inline functions that the compiler of device code may call on a graphics
// processor. They use neither the standard library nor exceptions. PEAL_UNROLL stands before a loop
// that must be unrolled there, so that arrays of its values stay in registers.
#if defined(__CUDA__)
#define PEAL_PORTABLE __attribute__((host)) __attribute__((device)) __attribute__((always_inline))
#define PEAL_UNROLL _Pragma("unroll")
#else
#define PEAL_PORTABLE
#define PEAL_UNROLL
#endif

/// The square root, as IEEE 754 rounds it.
PEAL_PORTABLE inline float square_root(float x) {
  return __builtin_sqrtf(x);
}
PEAL_PORTABLE inline double square_root(double x) {
  return __builtin_sqrt(x);
}

}  // namespace peal::wave

#pragma once

#include <cstddef>
#include <cstring>

namespace peal::util {

/// Bytes of the widest vectors that the processor has. GCC takes wider ones, but works on them in
/// memory, ten times as slowly.
#if defined(__AVX512F__)
inline constexpr std::size_t widest_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t widest_bytes = 32;
#else
inline constexpr std::size_t widest_bytes = 16;
#endif

/// Consecutive values that are worked on at once, with the operators of one value. (An extension of
/// GCC and Clang: whole vectors without relying on the optimiser to find them.)
template <class Real, std::size_t bytes>
struct LanesOf {
  typedef Real type [[gnu::vector_size(bytes)]];
};

/// As many as there can be, and how many that are.
template <class Real>
using Widest = typename LanesOf<Real, widest_bytes>::type;
template <class Real>
inline constexpr std::size_t widest_lanes = widest_bytes / sizeof(Real);

/// From memory of any alignment.
template <class Vector, class Real>
inline Vector load(const Real* from) {
  Vector values;
  std::memcpy(&values, from, sizeof(values));
  return values;
}
/// The same, of what is used more than once: GCC would load it for each use, which takes long where
/// it crosses lines of the cache.
template <class Vector, class Real>
inline Vector load_once(const Real* from) {
  auto values = load<Vector>(from);
#if defined(__x86_64__)
  asm("" : "+v"(values));
#endif
  return values;
}
template <class Vector, class Real>
inline void store(Real* to, const Vector& values) {
  std::memcpy(to, &values, sizeof(values));
}

/// Of all lanes, from the first on.
template <class Real>
inline Real sum_of(const Widest<Real>& values) {
  Real sum{};
  for (std::size_t i = 0; i < widest_lanes<Real>; ++i) sum += values[i];
  return sum;
}

}  // namespace peal::util

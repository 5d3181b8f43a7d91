#pragma once

#include <cstddef>
#include <cstring>

namespace peal::util {

/// Size of the processor's widest vectors [byte]. GCC accepts wider ones but processes them in
/// memory, ten times as slowly.
#if defined(__AVX512F__)
inline constexpr std::size_t widest_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t widest_bytes = 32;
#else
inline constexpr std::size_t widest_bytes = 16;
#endif

/// A vector of consecutive values, with the operators of one value. (This is an extension of GCC
/// and Clang: it guarantees vectorisation without relying on the optimiser.)
template <class Real, std::size_t bytes>
struct LanesOf {
  typedef Real type [[gnu::vector_size(bytes)]];
};

/// The widest vector of a type, and the number of its lanes.
template <class Real>
using Widest = typename LanesOf<Real, widest_bytes>::type;
template <class Real>
inline constexpr std::size_t widest_lanes = widest_bytes / sizeof(Real);

/// Loads a vector from memory of any alignment.
template <class Vector, class Real>
inline Vector load(const Real* from) {
  Vector values;
  std::memcpy(&values, from, sizeof(values));
  return values;
}
/// Loads a vector that is used more than once. GCC would otherwise repeat the load for each use,
/// which is slow across cache lines.
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

/// The sum of all lanes, from the first on.
template <class Real>
inline Real sum_of(const Widest<Real>& values) {
  Real sum{};
  for (std::size_t i = 0; i < widest_lanes<Real>; ++i) sum += values[i];
  return sum;
}

}  // namespace peal::util

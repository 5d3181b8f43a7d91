#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

namespace peal::wave {

/// Bytes of the vectors that rows are made of, and of twice as wide ones where the processor has
/// them.
#if defined(__AVX512F__)
inline constexpr std::size_t lane_bytes = 32, wide_lane_bytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t lane_bytes = 32, wide_lane_bytes = 32;
#else
inline constexpr std::size_t lane_bytes = 16, wide_lane_bytes = 16;
#endif

/// Consecutive values that are worked on at once, with the operators of one value. (An extension of
/// GCC and Clang: whole vectors without relying on the optimiser to find them.)
template <class Real, std::size_t bytes>
struct LanesOf {
  typedef Real type [[gnu::vector_size(bytes)]];
};
template <class Real>
using Lanes = typename LanesOf<Real, lane_bytes>::type;
template <class Real>
using WideLanes = typename LanesOf<Real, wide_lane_bytes>::type;

template <class Real>
inline constexpr int lanes = static_cast<int>(lane_bytes / sizeof(Real));
template <class Real>
inline constexpr int wide_lanes = static_cast<int>(wide_lane_bytes / sizeof(Real));

/// From memory of any alignment.
template <class Vector, class Real>
inline Vector load(const Real* from) {
  Vector values;
  std::memcpy(&values, from, sizeof(values));
  return values;
}
template <class Vector, class Real>
inline void store(Real* to, const Vector& values) {
  std::memcpy(to, &values, sizeof(values));
}

/// The values one place on from those of `a`, the last of them the first of `b`.
template <class Real, class Vector>
inline Vector from_second(const Vector& a, const Vector& b) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, (static_cast<int>(i) + 1)...);
  }
  (std::make_index_sequence<sizeof(Vector) / sizeof(Real)>());
}
/// The values one place before those of `b`, the first of them the last of `a`.
template <class Real, class Vector>
inline Vector from_last(const Vector& a, const Vector& b) {
  constexpr int last = static_cast<int>(sizeof(Vector) / sizeof(Real)) - 1;
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, (static_cast<int>(i) + last)...);
  }
  (std::make_index_sequence<sizeof(Vector) / sizeof(Real)>());
}

}  // namespace peal::wave

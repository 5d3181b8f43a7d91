#pragma once

#include <peal/util/lanes.h>

#include <array>
#include <cstddef>
#include <utility>

namespace peal::wave {

/// The size of the vectors that rows consist of, and of vectors twice as wide where the processor
/// has them [bytes].
inline constexpr std::size_t lane_bytes = util::widest_bytes < 32 ? util::widest_bytes : 32;
inline constexpr std::size_t wide_lane_bytes = util::widest_bytes;

using util::LanesOf;
using util::load;
using util::store;

template <class Real>
using Lanes = typename LanesOf<Real, lane_bytes>::type;
template <class Real>
using WideLanes = typename LanesOf<Real, wide_lane_bytes>::type;

template <class Real>
inline constexpr int lanes = static_cast<int>(lane_bytes / sizeof(Real));
template <class Real>
inline constexpr int wide_lanes = static_cast<int>(wide_lane_bytes / sizeof(Real));

/// The values shifted by one: those of `a` from the second on, followed by the first of `b`.
template <class Real, class Vector>
inline Vector from_second(const Vector& a, const Vector& b) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, (static_cast<int>(i) + 1)...);
  }
  (std::make_index_sequence<sizeof(Vector) / sizeof(Real)>());
}
/// The values shifted back by one: the last of `a`, followed by those of `b` except for the last.
template <class Real, class Vector>
inline Vector from_last(const Vector& a, const Vector& b) {
  constexpr int last = static_cast<int>(sizeof(Vector) / sizeof(Real)) - 1;
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, (static_cast<int>(i) + last)...);
  }
  (std::make_index_sequence<sizeof(Vector) / sizeof(Real)>());
}

/// Values of `a` and `b` alternately, from their lower (0) or upper (1) halves.
template <int half, class Real, class Vector>
inline Vector interleaved(const Vector& a, const Vector& b) {
  constexpr int n = static_cast<int>(sizeof(Vector) / sizeof(Real));
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return __builtin_shufflevector(
        a, b, (half * n / 2 + static_cast<int>(i) / 2 + static_cast<int>(i) % 2 * n)...);
  }
  (std::make_index_sequence<sizeof(Vector) / sizeof(Real)>());
}

/// Transposes a square block of values.
template <class Real>
inline void transpose(const std::array<const Real*, wide_lanes<Real>>& rows, Real* to,
                      std::size_t stride) {
  constexpr int n = wide_lanes<Real>;
  using Vector = WideLanes<Real>;
  Vector block[n];
  for (int i = 0; i < n; ++i) block[i] = load<Vector>(rows[i]);
  for (int turns = n; turns > 1; turns /= 2) {
    Vector next[n];
    for (int i = 0; i < n / 2; ++i) {
      next[2 * i] = interleaved<0, Real>(block[i], block[i + n / 2]);
      next[2 * i + 1] = interleaved<1, Real>(block[i], block[i + n / 2]);
    }
    for (int i = 0; i < n; ++i) block[i] = next[i];
  }
  for (int i = 0; i < n; ++i) store(to + static_cast<std::size_t>(i) * stride, block[i]);
}

}  // namespace peal::wave

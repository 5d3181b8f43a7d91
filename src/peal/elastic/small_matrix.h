#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

// Three by three, of numbers or of lanes (Eigen's matrices do not hold the latter).
namespace peal::elastic {

template <class V>
using Matrix3 = std::array<std::array<V, 3>, 3>;
/// A symmetric matrix as xx, yy, zz, xy, yz, zx.
template <class V>
using Symmetric3 = std::array<V, 6>;

/// Green strain (F^T F - 1) / 2.
template <class V>
[[gnu::always_inline]] inline Symmetric3<V> green_strain(const Matrix3<V>& F) {
  const auto product = [&](int a, int b) -> V {
    return F[0][a] * F[0][b] + F[1][a] * F[1][b] + F[2][a] * F[2][b];
  };
  return {0.5 * (product(0, 0) - 1.0), 0.5 * (product(1, 1) - 1.0), 0.5 * (product(2, 2) - 1.0),
          0.5 * product(0, 1),         0.5 * product(1, 2),         0.5 * product(2, 0)};
}

/// F^T F - square.
template <class V, class C>
[[gnu::always_inline]] inline Symmetric3<V> product_less(const Matrix3<V>& F, const C& square) {
  const auto product = [&](int a, int b) -> V {
    return F[0][a] * F[0][b] + F[1][a] * F[1][b] + F[2][a] * F[2][b];
  };
  const auto less = [&](int a) -> V {
    return F[0][a] * F[0][a] + (F[1][a] * F[1][a] + (F[2][a] * F[2][a] - square));
  };
  return {less(0), less(1), less(2), product(0, 1), product(1, 2), product(2, 0)};
}

/// A row of F S.
template <class V>
[[gnu::always_inline]] inline std::array<V, 3> row_times_symmetric(const std::array<V, 3>& row,
                                                                   const Symmetric3<V>& S) {
  return {row[0] * S[0] + row[1] * S[3] + row[2] * S[5],
          row[0] * S[3] + row[1] * S[1] + row[2] * S[4],
          row[0] * S[5] + row[1] * S[4] + row[2] * S[2]};
}

template <class V>
[[gnu::always_inline]] inline Matrix3<V> times_symmetric(const Matrix3<V>& F,
                                                         const Symmetric3<V>& S) {
  return {row_times_symmetric(F[0], S), row_times_symmetric(F[1], S), row_times_symmetric(F[2], S)};
}

template <class V>
[[gnu::always_inline]] inline V determinant(const Matrix3<V>& F) {
  return F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) -
         F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0]) +
         F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
}

/// The square root of a number, or of every lane.
template <class V>
inline V root_of(const V& values) {
  if constexpr (std::is_floating_point_v<V>) {
    return std::sqrt(values);
  } else {
    V roots = values;
    for (std::size_t i = 0; i < sizeof(V) / sizeof(values[0]); ++i) roots[i] = std::sqrt(values[i]);
    return roots;
  }
}

}  // namespace peal::elastic

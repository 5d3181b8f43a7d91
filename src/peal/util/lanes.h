#pragma once

#include <cstddef>
#include <cstring>

namespace peal::util {

/// Consecutive values that are worked on at once, with the operators of one value. (An extension of
/// GCC and Clang: whole vectors without relying on the optimiser to find them.)
template <class Real, std::size_t bytes>
struct LanesOf {
  typedef Real type [[gnu::vector_size(bytes)]];
};

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

}  // namespace peal::util

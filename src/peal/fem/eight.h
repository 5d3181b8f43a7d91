#pragma once

#include <peal/util/lanes.h>

#include <cstddef>

namespace peal::fem {

/// Eight numbers in adjacent vector registers, for files that are compiled with fused
/// multiply-adds.
struct Eight {
  using Lanes = util::Widest<double>;
  static constexpr std::ptrdiff_t count = 8, lanes = util::widest_lanes<double>;
  static constexpr std::ptrdiff_t registers = count / lanes;

  Lanes of[registers];
};

inline Eight load(const double* from) {
  Eight x;
  for (std::ptrdiff_t r = 0; r < Eight::registers; ++r)
    x.of[r] = util::load<Eight::Lanes>(from + Eight::lanes * r);
  return x;
}
inline void store(double* to, const Eight& x) {
  for (std::ptrdiff_t r = 0; r < Eight::registers; ++r) util::store(to + Eight::lanes * r, x.of[r]);
}
inline void add_product(Eight& sum, double factor, const Eight& x) {
  for (std::ptrdiff_t r = 0; r < Eight::registers; ++r) sum.of[r] += factor * x.of[r];
}
inline void subtract_product(Eight& sum, double factor, const Eight& x) {
  for (std::ptrdiff_t r = 0; r < Eight::registers; ++r) sum.of[r] -= factor * x.of[r];
}
inline void divide_by(Eight& x, double divisor) {
  for (std::ptrdiff_t r = 0; r < Eight::registers; ++r) x.of[r] /= divisor;
}

}  // namespace peal::fem

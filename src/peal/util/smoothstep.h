#pragma once

#include <algorithm>

namespace peal::util {

/// A smooth step from 0 at x = 0 to 1 at x = 1, with zero slope at both ends and constant beyond.
inline double smoothstep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3.0 - 2.0 * x);
}

}  // namespace peal::util

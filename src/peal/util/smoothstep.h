#pragma once

#include <algorithm>

namespace peal::util {

/// From 0 at 0 to 1 at 1, level at both ends and beyond.
inline double smoothstep(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * (3.0 - 2.0 * x);
}

}  // namespace peal::util

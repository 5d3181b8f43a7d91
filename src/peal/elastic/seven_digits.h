#pragma once

#include <cmath>

namespace peal::elastic {

/// A ratio, told to 1e-7: cells that differ by rounding stay alike, and share their constants.
inline double seven_digits(double ratio) {
  return std::round(1e7 * ratio) / 1e7;
}

}  // namespace peal::elastic

#pragma once

#include <cmath>

namespace peal::elastic {

/// A ratio rounded to 1e-7, so that cells that differ only by rounding errors share their
/// constants.
inline double seven_digits(double ratio) {
  return std::round(1e7 * ratio) / 1e7;
}

}  // namespace peal::elastic

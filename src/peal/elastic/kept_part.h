#pragma once

#include <cmath>

namespace peal::elastic {

/// A part of a cell's stiffness that it keeps [1], told to seven digits: cells that differ by
/// rounding stay alike, and share their constants.
inline double kept_part(double part) {
  return std::round(1e7 * part) / 1e7;
}

}  // namespace peal::elastic

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace peal::base {

/// Directions spread evenly over the sphere (a golden spiral).
inline std::vector<geometry::Vec3> all_directions(int count) {
  std::vector<geometry::Vec3> result;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count;
    const double angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0)), r = std::sqrt(1.0 - z * z);
    result.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  return result;
}

}  // namespace peal::base

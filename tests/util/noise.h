#pragma once

#include <random>
#include <vector>

namespace peal::util {

/// Uniform between -1 and 1, the same on every machine.
inline std::vector<double> noise(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<double> x(n);
  for (double& value : x) value = static_cast<double>(random()) / 2147483648.0 - 1.0;
  return x;
}

}  // namespace peal::util

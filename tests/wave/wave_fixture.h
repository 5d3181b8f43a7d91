#pragma once

#include <peal/util/random.h>
#include <peal/wave/grid/time_step.h>
#include <peal/wave/scheme/leapfrog.h>

#include <algorithm>
#include <cmath>

namespace peal::wave {

inline constexpr double c_air = 343.2;  ///< [m/s]

/// `lambda` is the Courant number.
inline LeapfrogSettings settings_for(const Grid& grid, double lambda, Side side) {
  return {.speed_of_sound = c_air,
          .time_step = lambda * grid.cell_size / c_air,
          .sides = all_sides(side)};
}

inline double limit() {
  return 1.0 / std::sqrt(3.0);
}

/// Noise in [-1, 1], different for each cell.
inline double noise(int what, const Cell& c) {
  return 2.0 * util::random_uniform(what, c[0] + 1000 * c[1], c[2]) - 1.0;
}

template <class Real>
double largest(const Field<Real>& field) {
  double most = 0.0;
  for_each_cell(field.size(), [&](const Cell& c) {
    most = std::max(most, std::abs(static_cast<double>(field[c])));
  });
  return most;
}

}  // namespace peal::wave

#include <peal/validation/duct.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace peal::validation {

namespace {

using std::numbers::pi;
using wave::CpmlSettings;
using wave::Grid;
using wave::Leapfrog;
using wave::LeapfrogSettings;
using wave::Side;

LeapfrogSettings rigid_settings(const Grid& grid, double lambda) {
  LeapfrogSettings settings{.sides = wave::all_sides(Side::rigid)};
  settings.time_step = lambda * grid.cell_size / settings.speed_of_sound;
  return settings;
}

/// A duct, rigid but for its far end; waves of one transverse mode, so of one angle at a frequency.
struct Duct {
  Grid grid;
  double lambda = 0.999 / std::numbers::sqrt3;
  double frequency = 0.0;  ///< cycles per step
  int mode = 0;            ///< half waves across

  /// Waves of about `points` cells length that meet the end at `degrees` from the normal.
  Duct(double points, double degrees) {
    const double theta = degrees * pi / 180.0;
    grid.size = {1, 1, 1};
    if (degrees > 0.0) {
      mode = 1;
      grid.size[1] = static_cast<int>(std::lround(points / (2.0 * std::sin(theta))));
      points = 2.0 * grid.size[1] * std::sin(theta);
    }
    const double kx = 2.0 * pi / points * std::cos(theta), ky = 2.0 * pi / points * std::sin(theta);
    frequency = std::asin(lambda * std::hypot(std::sin(0.5 * kx), std::sin(0.5 * ky))) / pi;
  }
};

/// Demodulated pressure at the rigid start, where the duct of `length` cells is driven.
std::vector<std::complex<double>> listen(const Duct& duct, int length, Side end, int steps,
                                         const CpmlSettings& layer) {
  Grid grid = duct.grid;
  grid.size[0] = length;
  LeapfrogSettings settings = rigid_settings(grid, duct.lambda);
  settings.sides[1] = end;
  settings.layer = layer;
  Leapfrog<double> solver(grid, settings);
  std::vector<std::complex<double>> received;
  for (int n = 0; n < steps; ++n) {
    solver.advance_planes(0, 1);
    const double rise = std::min(1.0, n * duct.frequency / 10.0);
    const double drive =
        std::pow(std::sin(0.5 * pi * rise), 2) * std::sin(2.0 * pi * duct.frequency * n);
    for (int y = 0; y < grid.size[1]; ++y) {
      solver.add_monopole({0, y, 0}, drive * std::cos(pi * duct.mode * (y + 0.5) / grid.size[1]));
    }
    solver.finish_step();
    received.push_back(std::polar(solver.pressure()[{0, 0, 0}], 2.0 * pi * duct.frequency * n));
  }
  return received;
}

/// Mean of the last part of a demodulated signal under a smooth window.
std::complex<double> amplitude(const std::vector<std::complex<double>>& received) {
  const std::size_t first = received.size() / 2, count = received.size() - first;
  std::complex<double> sum = 0.0;
  double weights = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double s = std::sin(pi * (static_cast<double>(i) + 0.5) / static_cast<double>(count));
    sum += s * s * received[first + i];
    weights += s * s;
  }
  return sum / weights;
}

}  // namespace

/// From the difference d from a duct so long that nothing returns: the start reflects all again, so
/// d = 2 R + 2 R^2 + ...
double duct_reflection(double cells, double degrees, Side end, const CpmlSettings& layer) {
  const Duct duct(cells, degrees);
  const int length = 60;
  const int steps = static_cast<int>(60.0 / duct.frequency);
  auto absorbed = listen(duct, length, end, steps, layer);
  const int far = static_cast<int>(0.5 * duct.lambda * steps) + length;
  const auto free = listen(duct, far, Side::rigid, steps, layer);
  for (std::size_t i = 0; i < free.size(); ++i) absorbed[i] -= free[i];
  const std::complex<double> d = amplitude(absorbed) / amplitude(free);
  return std::abs(d / (2.0 + d));
}

}  // namespace peal::validation

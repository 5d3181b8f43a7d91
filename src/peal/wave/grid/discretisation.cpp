#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/time_step.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::wave {

namespace {

constexpr double margin = 0.999;  ///< fraction of the stability limit in use, because of rounding

/// The cell size whose stability limit, less the margin, is the step of `rate`.
double cell_at_limit(base::Rate rate, const base::Medium& medium, double viscosity) {
  const double reach = medium.speed_of_sound * rate.step() / margin;
  return std::sqrt(3.0 * (reach * reach + 2.0 * reach * viscosity));
}

}  // namespace

double axis_speed_error(double cells_per_wavelength) {
  const double half = std::numbers::pi / cells_per_wavelength, lambda = std::numbers::inv_sqrt3;
  return std::asin(lambda * std::sin(half)) / (lambda * half) - 1.0;
}

double cells_for_speed_error(double speed_error) {
  double low = 2.0, high = 1e4;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (-axis_speed_error(middle) > speed_error ? low : high) = middle;
  }
  return high;
}

double cell_for_bodies(const base::World& world, double viscosity) {
  constexpr double across = 16.0;  // cells; the error of a sphere is then about 1 %
  double cell = std::numeric_limits<double>::infinity();
  for (const base::Body& body : world.bodies) {
    geometry::Vec3 sizes = geometry::bounds(body.mesh).sizes();
    std::ranges::sort(sizes.data(), sizes.data() + 3);
    cell = std::min(cell, sizes[1] / across);
  }
  return std::max(cell, cell_at_limit(world.rate, world.medium, viscosity));
}

Discretisation choose_discretisation(const base::WaveSettings& settings, base::Rate audio,
                                     const base::Medium& medium, double largest) {
  const double wavelength = medium.speed_of_sound / settings.max_frequency;
  Discretisation d;
  if (settings.cell_size) {
    d.cell_size = *settings.cell_size;
    d.rate = choose_rate(audio, d.cell_size, medium.speed_of_sound, settings.viscosity, margin);
  } else {
    largest = std::min(largest, wavelength / cells_for_speed_error(settings.accuracy));
    d.rate = choose_rate(audio, largest, medium.speed_of_sound, settings.viscosity, margin);
    d.cell_size = cell_at_limit(d.rate, medium, settings.viscosity);
  }
  d.cells_per_wavelength = wavelength / d.cell_size;
  d.speed_error = -axis_speed_error(std::max(d.cells_per_wavelength, 2.0));
  return d;
}

}  // namespace peal::wave

#include <peal/base/all_directions.h>
#include <peal/base/boundary_elements.h>
#include <peal/base/radiation_filter.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/util/parallel.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::base {

namespace {

using Eigen::Index;
using std::numbers::pi;

/// Ratios of levels, not levels, are needed here: a quarter of the time of 400 points.
constexpr std::size_t points_of_fit = 250;
constexpr int fitted_directions = 48;
constexpr double fitted_per_octave = 2.0;  ///< frequencies of the fit
constexpr double octaves_below = 2.0, octaves_above = 1.0;
/// Largest distance of points times wavenumber at which elements are of use.
constexpr double resolved_spacing = 2.2;
constexpr std::int64_t highest_filter_order = 4;
constexpr double lowest_corner = 2.0 * pi * 100.0;  ///< [1/s]
constexpr double corners_per_octave = 4.0;

/// The levels of all modes' fields for a unit of acceleration, over angular frequency.
struct ModeSpectra {
  std::vector<double> frequencies;  ///< [1/s], ascending
  Eigen::MatrixXd levels;           ///< natural logarithms; a row a frequency, a column a mode

  /// The level of a mode at an angular frequency within those.
  double level(Index mode, double w) const {
    const auto next = std::ranges::upper_bound(frequencies, w);
    const auto i = std::clamp<Index>(next - frequencies.begin(), 1,
                                     static_cast<Index>(frequencies.size()) - 1);
    const double low = std::log(frequencies[static_cast<std::size_t>(i - 1)]),
                 high = std::log(frequencies[static_cast<std::size_t>(i)]);
    const double part = (std::log(w) - low) / (high - low);
    return (1.0 - part) * levels(i - 1, mode) + part * levels(i, mode);
  }
};

ModeSpectra mode_spectra(const ModalModel& model, const Medium& medium) {
  const BoundaryElements elements(model.surface, points_of_fit);
  const Eigen::MatrixXd flows = elements.flows(model.surface, model.shapes);
  const double spacing =
      std::sqrt(geometry::surface_area(model.surface) / static_cast<double>(elements.points()));
  const double lowest = model.modes.front().frequency * std::exp2(-octaves_below);
  const double highest = std::min(model.modes.back().frequency * std::exp2(octaves_above),
                                  resolved_spacing / spacing * medium.speed_of_sound / (2.0 * pi));
  ModeSpectra result;
  for (double f = lowest; f <= highest; f *= std::exp2(1.0 / fitted_per_octave))
    result.frequencies.push_back(2.0 * pi * f);
  const std::vector<Vec3> directions = all_directions(fitted_directions);
  result.levels.resize(static_cast<Index>(result.frequencies.size()), model.shapes.cols());
  util::parallel_for(static_cast<std::int64_t>(result.frequencies.size()), [&](std::int64_t i) {
    const double k = result.frequencies[static_cast<std::size_t>(i)] / medium.speed_of_sound;
    // p = rho phi for a unit of acceleration.
    const Eigen::MatrixXcd fields = elements.far_field(k, flows, directions);
    result.levels.row(static_cast<Index>(i)) =
        0.5 * (fields.colwise().squaredNorm().array() + 1e-300).log().matrix();
  });
  return result;
}

/// How much the fit must be true to a frequency: where forces above a mode's own frequency move it
/// as a mass, all alike; where slower ones press it aside, as much as it then sounds.
double weight_of_fit(double w, double own, double level_below) {
  return w > own ? 1.0 : std::pow(w / own, 2) * std::min(1.0, std::exp(level_below));
}

/// How far a filter is from a mode's levels, relative to that at its own frequency.
double misfit(const RadiationFilter& filter, const ModeSpectra& spectra, Index mode, double own) {
  const double own_level = spectra.level(mode, own);
  double sum = 0.0;
  for (std::size_t i = 0; i < spectra.frequencies.size(); ++i) {
    const double w = spectra.frequencies[i];
    const double level = spectra.levels(static_cast<Index>(i), mode) - own_level;
    const double error = level - std::log(filter.magnitude(w) / filter.magnitude(own));
    sum += weight_of_fit(w, own, level) * error * error;
  }
  return sum;
}

/// Levels do not rise beyond `highest`, the frequency of the highest mode [1/s]: there the modes
/// that are left out would be heard.
RadiationFilter fitted_filter(const ModeSpectra& spectra, Index mode, double own, double highest) {
  RadiationFilter best;
  if (spectra.frequencies.size() < 3 || own > spectra.frequencies.back()) return best;
  double least = misfit(best, spectra, mode, own);
  const double lowest = std::max(lowest_corner, spectra.frequencies.front());
  for (std::int64_t order = 1; order <= highest_filter_order; ++order) {
    for (double corner = lowest; corner <= highest; corner *= std::exp2(1.0 / corners_per_octave)) {
      const RadiationFilter one{order, corner};
      const double sum = misfit(one, spectra, mode, own);
      if (sum < least) least = sum, best = one;
    }
  }
  return best;
}

}  // namespace

double RadiationFilter::magnitude(double w) const {
  return std::pow(w / std::hypot(w, corner), static_cast<double>(order));
}

std::vector<RadiationFilter> radiation_filters(const ModalModel& model, const Medium& medium) {
  std::vector<RadiationFilter> filters;
  if (model.modes.empty()) return filters;
  const ModeSpectra spectra = mode_spectra(model, medium);
  const double highest = 2.0 * pi * model.modes.back().frequency;
  for (std::size_t m = 0; m < model.modes.size(); ++m)
    filters.push_back(fitted_filter(spectra, static_cast<Index>(m),
                                    2.0 * pi * model.modes[m].frequency, highest));
  return filters;
}

}  // namespace peal::base

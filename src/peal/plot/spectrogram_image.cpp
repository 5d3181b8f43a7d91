#include <peal/plot/spectrogram_image.h>
#include <peal/util/spectrum.h>

#include <algorithm>
#include <cmath>

namespace peal::plot {

namespace {

constexpr double lowest_level = -400;  ///< [dB] shown for no power at all; below any float's square

/// Which bins make one row.
struct RowPlan {
  std::size_t below = 0;  ///< bin at or below the centre of the row
  double between = 0;     ///< share of the way from there to the next bin
  std::size_t first = 1;  ///< bins wholly inside of the row, first > last if there are none
  std::size_t last = 0;
};

std::vector<RowPlan> plan_rows(const SpectrogramGrid& grid, double bin_width, std::size_t bins) {
  std::vector<RowPlan> plans(grid.rows);
  const double top_bin = static_cast<double>(bins - 1);
  const auto bin_at = [&](double row) {
    const double frequency = grid.frequency.value(row / static_cast<double>(grid.rows));
    return std::clamp(frequency / bin_width, 0.0, top_bin);
  };
  for (std::size_t row = 0; row < grid.rows; ++row) {
    const double edge = static_cast<double>(row);
    const double centre = std::min(bin_at(edge + 0.5), top_bin - 1e-6);
    plans[row] = {static_cast<std::size_t>(centre), centre - std::floor(centre),
                  static_cast<std::size_t>(std::ceil(bin_at(edge))),
                  static_cast<std::size_t>(std::floor(bin_at(edge + 1.0)))};
  }
  return plans;
}

/// Level between two bins by a cubic through four (Catmull-Rom): the top of a tone comes out within
/// a tenth of a bin. The outer two count as at most 12 dB below, or a null beside a peak would make
/// the cubic overshoot.
double between_bins(std::span<const double> levels, std::size_t below, double u) {
  const double b = levels[below];
  const double c = levels[below + 1];
  const double least = std::min(b, c) - 12.0;
  const double a = std::max(below > 0 ? levels[below - 1] : b, least);
  const double d = std::max(below + 2 < levels.size() ? levels[below + 2] : c, least);
  return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)));
}

double row_level(const RowPlan& plan, std::span<const double> levels) {
  double level = between_bins(levels, plan.below, plan.between);
  for (std::size_t k = plan.first; k <= plan.last; ++k) level = std::max(level, levels[k]);
  return level;
}

}  // namespace

std::size_t spectrogram_window(std::size_t samples, double sample_rate) {
  const double duration = static_cast<double>(samples) / sample_rate;
  const double seconds = std::clamp(duration / 25.0, 0.012, 4096.0 / 48000.0);
  const double exponent = std::clamp(std::round(std::log2(seconds * sample_rate)), 4.0, 20.0);
  return std::size_t{1} << static_cast<int>(exponent);
}

std::vector<float> spectrogram_levels(std::span<const float> signal, const SpectrogramGrid& grid) {
  util::FrameSpectrum frames(
      {.window = grid.window, .transform = 2 * grid.window, .sample_rate = grid.sample_rate});
  const std::vector<RowPlan> plans = plan_rows(grid, frames.bin_width(), frames.bins());
  const double step = static_cast<double>(signal.size()) / static_cast<double>(grid.columns);
  const double half_window = 0.5 * static_cast<double>(grid.window);
  const auto frames_per_column =
      static_cast<std::size_t>(std::max(1.0, std::ceil(step / half_window)));

  std::vector<float> image(grid.rows * grid.columns);
  std::vector<double> levels(frames.bins());
  for (std::size_t column = 0; column < grid.columns; ++column) {
    std::fill(levels.begin(), levels.end(), 0.0);
    for (std::size_t j = 0; j < frames_per_column; ++j) {
      const double share = (static_cast<double>(j) + 0.5) / static_cast<double>(frames_per_column);
      const double centre = (static_cast<double>(column) + share) * step;
      const auto start = static_cast<std::ptrdiff_t>(std::floor(centre - half_window + 0.5));
      const std::span<const double> power = frames.power(signal, start);
      for (std::size_t k = 0; k < levels.size(); ++k) levels[k] += power[k];
    }
    for (double& level : levels) {
      const double power = level / static_cast<double>(frames_per_column);
      level = std::max(lowest_level, util::level_db(power, grid.reference));
    }
    for (std::size_t row = 0; row < grid.rows; ++row) {
      image[row * grid.columns + column] = static_cast<float>(row_level(plans[row], levels));
    }
  }
  return image;
}

}  // namespace peal::plot

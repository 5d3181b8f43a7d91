#include <peal/wave/sources/monopole_source.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace peal::wave {

namespace {

constexpr double leak = 2.0 * std::numbers::pi * 1.0;  ///< of flows: 1 Hz, as in `direct` [1/s]

/// The weights of the cells first, first + 1, ... along one axis.
struct AxisWeights {
  int first = 0;
  std::array<double, 6> weight{};
  int count = 0;
};

/// Smooth weights at `x` in cells; values are at cell centres. The cubic B-spline B passes each
/// wave with the gain 1 - (k h)^2 / 6 + ...; B - (second difference of B) / 6 leaves only an error
/// of the fourth power.
AxisWeights smooth(double x) {
  const double at = x - 0.5, cell = std::floor(at), f = at - cell, g = 1.0 - f;
  const std::array<double, 8> spline = {0,
                                        0,
                                        g * g * g / 6,
                                        (4 - 6 * f * f + 3 * f * f * f) / 6,
                                        (4 - 6 * g * g + 3 * g * g * g) / 6,
                                        f * f * f / 6,
                                        0,
                                        0};
  AxisWeights weights{.first = static_cast<int>(cell) - 2, .count = 6};
  for (int i = 0; i < 6; ++i) {
    const double bend = spline[i] - 2 * spline[i + 1] + spline[i + 2];
    weights.weight[i] = spline[i + 1] - bend / 6;
  }
  return weights;
}

AxisWeights linear(double x) {
  const double at = x - 0.5, cell = std::floor(at), f = at - cell;
  return {.first = static_cast<int>(cell), .weight = {1 - f, f}, .count = 2};
}

PointStencil product(const std::array<AxisWeights, 3>& axes) {
  PointStencil stencil;
  for (int k = 0; k < axes[2].count; ++k) {
    for (int j = 0; j < axes[1].count; ++j) {
      for (int i = 0; i < axes[0].count; ++i) {
        stencil.cells.push_back({axes[0].first + i, axes[1].first + j, axes[2].first + k});
        stencil.weights.push_back(axes[0].weight[i] * axes[1].weight[j] * axes[2].weight[k]);
      }
    }
  }
  return stencil;
}

/// The integral of the strength up to each half step, with a leak so that offsets do not add up.
/// Flow that remains at the end of the signal fades out, too slowly to be audible.
base::Signal flow_of(const base::Signal& strength) {
  constexpr double fade = 0.25;  // [s]
  base::Signal flow = strength;
  const double step = strength.rate.step(), keep = std::exp(-leak * step);
  double sum = 0.0;
  for (float& value : flow.samples) {
    sum = keep * sum + step * static_cast<double>(value);
    value = static_cast<float>(sum);
  }
  const auto tail = static_cast<int>(strength.rate.samples(fade));
  for (int i = 1; i < tail; ++i) {
    const double gain = 0.5 + 0.5 * std::cos(std::numbers::pi * i / tail);
    flow.samples.push_back(static_cast<float>(gain * sum));
  }
  return flow;
}

double sample_at(const base::Signal& signal, std::int64_t n) {
  const std::int64_t i = n - signal.start;
  if (i < 0 || i >= static_cast<std::int64_t>(signal.samples.size())) return 0.0;
  return static_cast<double>(signal.samples[static_cast<std::size_t>(i)]);
}

}  // namespace

PointStencil point_stencil(const Grid& grid, const Vec3& position,
                           const std::function<bool(const Cell&)>& is_air) {
  const Vec3 x = grid.to_cells(position);
  const auto airy = [&](const Cell& c) { return grid.contains(c) && is_air(c); };
  PointStencil wide = product({smooth(x[0]), smooth(x[1]), smooth(x[2])});
  if (std::ranges::all_of(wide.cells, airy)) return wide;
  const PointStencil all = product({linear(x[0]), linear(x[1]), linear(x[2])});
  PointStencil narrow;
  double sum = 0.0;
  for (std::size_t i = 0; i < all.cells.size(); ++i) {
    if (!airy(all.cells[i])) continue;
    narrow.cells.push_back(all.cells[i]);
    narrow.weights.push_back(all.weights[i]);
    sum += all.weights[i];
  }
  if (sum < 1e-6) return {};
  for (double& w : narrow.weights) w /= sum;
  return narrow;
}

MonopoleSource::MonopoleSource(const base::World& world, const Grid& grid, base::Rate rate,
                               const SourceDecimator& decimator, const Chunk& chunk)
    : grid_(grid), rate_(rate), chunk_(chunk) {
  const auto end = static_cast<std::int64_t>(std::ceil(rate.samples(chunk.last_source())));
  for (const base::PointSource& source : world.sources) {
    const bool still = source.motion->is_still();
    const auto begin = static_cast<std::int64_t>(std::floor(rate.samples(chunk.first_source())));
    const base::Signal strength = decimator.strength(*source.shader, {still ? begin : 0, end});
    if (strength.samples.empty()) continue;
    sources_.push_back({&source, still ? strength : flow_of(strength), {}, still});
  }
}

Vec3 MonopoleSource::position(const Source& source, double t) const {
  return source.source->motion->pose(chunk_.segment.clamp(t)).to_world(source.source->offset);
}

void MonopoleSource::output_at(const PointStencil& stencil, double amount,
                               const std::function<double(const Cell&)>& gain,
                               const std::function<void(const Cell&, double)>& add) const {
  for (std::size_t i = 0; i < stencil.cells.size(); ++i)
    add(stencil.cells[i], gain(stencil.cells[i]) * stencil.weights[i] * amount / grid_.cell_size);
}

template <class Real>
void MonopoleSource::add(std::int64_t n, const std::function<double(const Cell&)>& gain,
                         Field<Real>& p_new) {
  output(n, gain,
         [&](const Cell& cell, double amount) { p_new[cell] += static_cast<Real>(amount); });
}

void MonopoleSource::output(std::int64_t n, const std::function<double(const Cell&)>& gain,
                            const std::function<void(const Cell&, double)>& add) {
  constexpr double solid_angle = 4.0 * std::numbers::pi;
  const auto is_air = [&](const Cell& c) { return gain(c) > 0.0; };
  const double t = rate_.seconds(n), half = 0.5 * rate_.step();
  for (Source& source : sources_) {
    if (source.still) {
      const double strength = chunk_.weight(t) * sample_at(source.emission, n);
      if (strength == 0.0) continue;
      if (source.resting.cells.empty()) {
        source.resting = point_stencil(grid_, position(source, t), is_air);
      }
      output_at(source.resting, solid_angle * strength, gain, add);
      continue;
    }
    const double after = chunk_.weight(t + half) * sample_at(source.emission, n);
    const double before = chunk_.weight(t - half) * sample_at(source.emission, n - 1);
    const double per_step = solid_angle * static_cast<double>(rate_.hz);
    if (after != 0.0) {
      output_at(point_stencil(grid_, position(source, t + half), is_air), per_step * after, gain,
                add);
    }
    if (before != 0.0) {
      output_at(point_stencil(grid_, position(source, t - half), is_air), -per_step * before, gain,
                add);
    }
  }
}

template void MonopoleSource::add(std::int64_t, const std::function<double(const Cell&)>&,
                                  Field<float>&);
template void MonopoleSource::add(std::int64_t, const std::function<double(const Cell&)>&,
                                  Field<double>&);

}  // namespace peal::wave

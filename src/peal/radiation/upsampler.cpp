#include <peal/radiation/upsampler.h>
#include <peal/util/fractional_delay.h>
#include <peal/util/lanes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace peal::radiation {

namespace {

using util::FractionalDelay;
using Lanes = util::Widest<float>;

constexpr auto lanes = static_cast<std::int64_t>(util::widest_lanes<float>);
constexpr std::int64_t sum_vectors = 8;  ///< vectors of sums that stay in registers
constexpr std::int64_t sum_block = sum_vectors * lanes;

/// The signal with silence around it, for filters of `weights` weights, of which `before` apply to
/// earlier samples. Single precision is enough: sound that travels to receivers has no more.
std::vector<float> padded(const std::vector<double>& samples, std::size_t weights,
                          std::size_t before) {
  std::vector<float> result(samples.size() + weights + static_cast<std::size_t>(sum_block));
  std::ranges::transform(samples, result.begin() + static_cast<std::ptrdiff_t>(before),
                         [](double sample) { return static_cast<float>(sample); });
  return result;
}

/// Filters `count` samples and writes the results `apart` samples apart.
void filter(const std::vector<float>& padded, std::span<const float> weights, std::int64_t count,
            double* out, std::int64_t apart) {
  for (std::int64_t from = 0; from < count; from += sum_block) {
    Lanes sums[sum_vectors] = {};
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const float* const some = &padded[static_cast<std::size_t>(from) + k];
      for (std::int64_t v = 0; v < sum_vectors; ++v)
        sums[v] += weights[k] * util::load<Lanes>(some + v * lanes);
    }
    std::array<float, sum_block> values;  // in memory, so that the sums stay in registers
    for (std::int64_t v = 0; v < sum_vectors; ++v) util::store(&values[v * lanes], sums[v]);
    for (std::int64_t n = from; n < std::min(from + sum_block, count); ++n)
      out[n * apart] = static_cast<double>(values[n - from]);
  }
}

}  // namespace

std::vector<double> with_samples_between(const std::vector<double>& samples, std::int64_t factor) {
  const FractionalDelay delay;
  const auto count = static_cast<std::int64_t>(samples.size());
  const std::vector<float> from = padded(samples, FractionalDelay::taps, FractionalDelay::half - 1);
  std::vector<double> fine(samples.size() * static_cast<std::size_t>(factor));
  for (std::int64_t n = 0; n < count; ++n) fine[n * factor] = samples[n];
  for (std::int64_t phase = 1; phase < factor; ++phase) {
    const auto row = delay.weights(static_cast<double>(phase) / static_cast<double>(factor));
    filter(from, row, count, &fine[phase], factor);
  }
  return fine;
}

Upsampler::Upsampler(base::Rate from, base::Rate to, double pass, double stop)
    : factor_(to.hz / from.hz),
      filter_(static_cast<double>(to.hz), pass, stop),
      half_(static_cast<std::int64_t>(filter_.reach()) / factor_ + 1) {}

base::SampleRange Upsampler::needed(base::SampleRange made) const {
  const auto floor = [&](std::int64_t n) {
    return n >= 0 ? n / factor_ : -((factor_ - 1 - n) / factor_);
  };
  return {floor(made.begin) - half_, floor(made.end - 1) + half_ + 1};
}

std::vector<double> Upsampler::raised(const std::vector<double>& samples,
                                      base::SampleRange made) const {
  const std::int64_t first = needed(made).begin + half_;  // centre of the filter at the start
  const std::int64_t count = static_cast<std::int64_t>(samples.size()) - 2 * half_;
  const auto taps = static_cast<std::size_t>(2 * half_ + 1);
  const std::vector<float> from = padded(samples, taps, 0);
  std::vector<double> fine(static_cast<std::size_t>(count * factor_));
  std::vector<float> weights(taps);
  for (std::int64_t phase = 0; phase < factor_; ++phase) {
    for (std::size_t k = 0; k < taps; ++k) {
      const std::int64_t away = phase + (half_ - static_cast<std::int64_t>(k)) * factor_;
      const auto tap = static_cast<std::size_t>(std::abs(away));
      // Upsampling inserts zeros between the samples, which lowers the mean by this factor.
      weights[k] = tap <= filter_.reach()
                       ? static_cast<float>(static_cast<double>(factor_) * filter_.taps()[tap])
                       : 0.0f;
    }
    filter(from, weights, count, &fine[phase], factor_);
  }
  const auto begin = fine.begin() + (made.begin - first * factor_);
  return {begin, begin + made.size()};
}

}  // namespace peal::radiation

#include <peal/util/decimator.h>
#include <peal/util/low_pass.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace peal::util {

namespace {

constexpr double pass_band = 0.42;  ///< of the low rate

constexpr std::size_t lanes = 16;
constexpr std::size_t at_once = 4;  ///< lanes that share a look at each tap

/// Of taps that rounding has left of zero: every second one of a filter that halves.
constexpr double nothing = 1e-12;

}  // namespace

Decimator::Decimator(std::size_t channels, std::int64_t factor, std::span<const double> taps)
    : channels_(channels),
      width_((channels + at_once * lanes - 1) / (at_once * lanes) * at_once),
      factor_(factor),
      middle_(static_cast<float>(taps[0])),
      reach_(static_cast<std::int64_t>(taps.size()) - 1),
      samples_(width_ * (2 * taps.size() - 1)),
      done_(width_) {
  for (std::size_t i = 1; i < taps.size(); ++i) {
    if (std::abs(taps[i]) > nothing * std::abs(taps[0]))
      taps_.push_back({static_cast<float>(taps[i]), static_cast<std::int64_t>(i)});
  }
}

/// Samples before the first one are places that were not written yet.
const Decimator::Lanes* Decimator::sample_at(std::int64_t index) const {
  const std::int64_t kept = 2 * reach_ + 1;
  return &samples_[width_ * static_cast<std::size_t>((index + kept) % kept)];
}

std::span<const float> Decimator::push(std::span<const float> sample) {
  const std::size_t place = static_cast<std::size_t>(next_ % (2 * reach_ + 1));
  std::memcpy(&samples_[width_ * place], sample.data(), channels_ * sizeof(float));
  const std::int64_t middle = next_++ - reach_;
  if (middle < 0 || middle % factor_ != 0) return {};
  for (Tap& tap : taps_) {
    tap.before = sample_at(middle - tap.offset);
    tap.after = sample_at(middle + tap.offset);
  }
  const Lanes* const at = sample_at(middle);
  for (std::size_t i = 0; i < width_; i += at_once) {
    Lanes sum[at_once];
    for (std::size_t k = 0; k < at_once; ++k) sum[k] = middle_ * at[i + k];
    for (const Tap& tap : taps_) {
      const Lanes *const before = tap.before + i, *const after = tap.after + i;
      for (std::size_t k = 0; k < at_once; ++k) sum[k] += tap.value * (before[k] + after[k]);
    }
    std::copy_n(sum, at_once, &done_[i]);
  }
  return {reinterpret_cast<const float*>(done_.data()), channels_};
}

DecimatorChain::DecimatorChain(std::size_t channels, std::int64_t factor) {
  std::vector<std::int64_t> factors;
  std::int64_t first = factor;
  for (int halvings = 0; halvings < 2 && first % 2 == 0 && first > 2; ++halvings) {
    factors.insert(factors.begin(), 2);
    first /= 2;
  }
  factors.insert(factors.begin(), first);
  // Rates relative to the last one.
  auto high = static_cast<double>(factor);
  std::int64_t before = 1;
  for (const std::int64_t one : factors) {
    const double low = high / static_cast<double>(one);
    const LowPass filter(high, pass_band, low - pass_band);
    stages_.emplace_back(channels, one, filter.taps());
    reach_ += before * stages_.back().reach();
    before *= one;
    high = low;
  }
}

std::span<const float> DecimatorChain::push(std::span<const float> sample) {
  for (Decimator& stage : stages_) {
    sample = stage.push(sample);
    if (sample.empty()) break;
  }
  return sample;
}

}  // namespace peal::util

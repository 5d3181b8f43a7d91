#include <peal/util/decimator.h>
#include <peal/util/low_pass.h>

#include <algorithm>
#include <cmath>

namespace peal::util {

namespace {

constexpr double pass_band = 0.42;  ///< of the low rate

std::int64_t floor_division(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

}  // namespace

Decimator::Decimator(std::size_t channels, std::int64_t factor, std::span<const double> taps)
    : channels_(channels),
      factor_(factor),
      taps_(taps.begin(), taps.end()),
      under_way_((2 * static_cast<std::int64_t>(taps.size()) - 2) / factor + 1),
      sums_(channels * static_cast<std::size_t>(under_way_)),
      done_(channels) {}

std::span<const float> Decimator::push(std::span<const float> sample) {
  const std::int64_t first = std::max<std::int64_t>(0, -floor_division(reach() - next_, factor_));
  const std::int64_t last = (next_ + reach()) / factor_;
  for (std::int64_t k = first; k <= last; ++k) {
    const float tap = taps_[static_cast<std::size_t>(std::abs(next_ - k * factor_))];
    float* __restrict sum = &sums_[channels_ * static_cast<std::size_t>(k % under_way_)];
    const float* __restrict in = sample.data();
    for (std::size_t i = 0; i < channels_; ++i) sum[i] += tap * in[i];
  }
  const std::int64_t middle = next_++ - reach();
  if (middle < 0 || middle % factor_ != 0) return {};
  float* sum = &sums_[channels_ * static_cast<std::size_t>(middle / factor_ % under_way_)];
  std::copy_n(sum, channels_, done_.begin());
  std::fill_n(sum, channels_, 0.0f);
  return done_;
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

void DecimatorChain::push(std::span<const float> sample,
                          const std::function<void(std::span<const float>)>& take) {
  for (Decimator& stage : stages_) {
    sample = stage.push(sample);
    if (sample.empty()) return;
  }
  take(sample);
}

}  // namespace peal::util

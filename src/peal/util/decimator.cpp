#include <peal/util/decimator.h>
#include <peal/util/low_pass.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::util {

namespace {

constexpr double pass_band = 0.42;  ///< of the low rate

constexpr std::size_t lanes = widest_lanes<float>;

/// Of taps that rounding has left of zero: every second one of a filter that halves.
constexpr double nothing = 1e-12;

/// A filter with (-c, 0, 1 + 2 c, 0, -c) behind it, at twice the low rate: 1 + 4 c sin^2(pi f) with
/// f in low rates.
std::vector<double> raised(std::span<const double> taps, double c) {
  const auto tap = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(std::abs(i));
    return at < taps.size() ? taps[at] : 0.0;
  };
  std::vector<double> result;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(taps.size()) + 2; ++i)
    result.push_back((1.0 + 2.0 * c) * tap(i) - c * (tap(i - 2) + tap(i + 2)));
  return result;
}

}  // namespace

Decimator::Decimator(std::size_t channels, std::int64_t factor, std::span<const double> taps,
                     std::size_t at_once)
    : channels_(channels),
      width_((channels + lanes - 1) / lanes),
      factor_(factor),
      at_once_(at_once),
      reach_(static_cast<std::int64_t>(taps.size()) - 1),
      needed_(2 * reach_ + 1 + (static_cast<std::int64_t>(at_once) - 1) * factor),
      samples_(width_ * static_cast<std::size_t>(needed_)),
      in_order_(static_cast<std::size_t>(needed_)),
      results_(width_ * at_once) {
  const std::size_t some = std::min(group, at_once);
  const auto span = 2 * reach_ + 1 + (static_cast<std::int64_t>(some) - 1) * factor;
  for (std::int64_t offset = 0; offset < span; ++offset) {
    Part part{.offset = static_cast<std::size_t>(offset), .taps = {}};
    std::size_t results = 0, last = 0;
    for (std::size_t k = 0; k < some; ++k) {
      const auto away = static_cast<std::size_t>(
          std::abs(offset - reach_ - static_cast<std::int64_t>(k) * factor));
      if (away >= taps.size() || std::abs(taps[away]) <= nothing * std::abs(taps[0])) continue;
      part.taps[k] = static_cast<float>(taps[away]);
      ++results;
      last = k;
    }
    if (results == 1) singles_.push_back({part.offset, part.taps[last], last});
    if (results > 1) parts_.push_back(part);
  }
}

std::span<float> Decimator::next() {
  // Samples before the first one are places that were not written yet.
  const auto place = static_cast<std::size_t>(next_ % needed_);
  return {reinterpret_cast<float*>(&samples_[width_ * place]), channels_};
}

bool Decimator::push() {
  const std::int64_t last = next_++;
  const std::int64_t period = static_cast<std::int64_t>(at_once_) * factor_;
  // The last result of a group lies reach_ before.
  const std::int64_t middle = last - reach_ - period + factor_;
  if (middle < 0 || middle % period != 0) return false;
  make_results(middle - reach_);
  return true;
}

/// `first` is the first sample of the input that is needed. Signals are taken lane by lane, so that
/// what belongs to one stays in the nearest memory until all its results are made.
void Decimator::make_results(std::int64_t first) {
  for (std::int64_t i = 0; i < needed_; ++i) {
    const auto place = static_cast<std::size_t>((first + i + needed_) % needed_);
    in_order_[static_cast<std::size_t>(i)] = &samples_[width_ * place];
  }
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t from = 0; from < at_once_; from += group) {
      const Lanes* const* const samples = &in_order_[from * static_cast<std::size_t>(factor_)];
      Lanes sum[group] = {};
      for (const Part& part : parts_) {
        const Lanes sample = samples[part.offset][i];
        for (std::size_t k = 0; k < group; ++k) sum[k] += part.taps[k] * sample;
      }
      Lanes* const results = &results_[from * width_ + i];
      for (std::size_t k = 0; k < std::min(group, at_once_); ++k) results[k * width_] = sum[k];
      for (const Single& single : singles_)
        results[single.result * width_] += single.tap * samples[single.offset][i];
    }
  }
}

std::span<const float> Decimator::result(std::size_t number) const {
  return {reinterpret_cast<const float*>(&results_[number * width_]), channels_};
}

void Decimator::keep(Archive& archive) {
  archive.number(next_);
  archive.numbers(std::span(samples_));
}

DecimatorChain::DecimatorChain(std::size_t channels, std::int64_t factor, double gain) {
  std::vector<std::int64_t> factors;
  std::int64_t first = factor;
  for (int halvings = 0; halvings < 2 && first % 2 == 0 && first > 1; ++halvings) {
    factors.insert(factors.begin(), 2);
    first /= 2;
  }
  if (first > 1 || factors.empty()) factors.insert(factors.begin(), first);
  // Rates relative to the last one.
  auto high = static_cast<double>(factor);
  for (const std::int64_t one : factors) {
    const double low = high / static_cast<double>(one);
    const LowPass filter(high, pass_band, low - pass_band);
    const bool is_last = stages_.size() + 1 == factors.size();
    const double third = std::sin(std::numbers::pi / 3.0);
    const double c = is_last && one == 2 ? (1.0 / gain - 1.0) / (4.0 * third * third) : 0.0;
    if (c > 0.0) {
      stages_.emplace_back(channels, one, raised(filter.taps(), c), at_once);
    } else {
      stages_.emplace_back(channels, one, filter.taps(), at_once);
    }
    high = low;
  }
  // Of each stage, the last sample of the input that the first results of all need.
  constexpr auto group = static_cast<std::int64_t>(at_once);
  std::int64_t result = 0;
  for (std::size_t s = stages_.size(); s-- > 0;) {
    const std::int64_t last = result / group * group + group - 1;
    result = last * factors[s] + stages_[s].reach();
  }
  reach_ = result;
}

bool DecimatorChain::push(std::size_t stage) {
  if (!stages_[stage].push()) return false;
  if (stage + 1 == stages_.size()) return true;
  bool is_complete = false;
  for (std::size_t k = 0; k < at_once; ++k) {
    std::ranges::copy(stages_[stage].result(k), stages_[stage + 1].next().begin());
    is_complete = push(stage + 1) || is_complete;
  }
  return is_complete;
}

}  // namespace peal::util

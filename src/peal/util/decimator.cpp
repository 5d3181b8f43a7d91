#include <peal/util/decimator.h>
#include <peal/util/error.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace peal::util {

namespace {

/// Size of the second cache that is available beside a simulation: half of 512 kB [bytes].
constexpr std::size_t near_cache = 320 * 1024;

/// Taps below this are rounding errors of zero, as every second tap of a halving filter.
constexpr double nothing = 1e-12;

double sine_square(double frequency) {
  return std::pow(std::sin(std::numbers::pi * frequency), 2);
}

/// A filter followed by (-1, 0, 2, 0, -1) / 4, at twice the low rate: it multiplies the response by
/// sin^2(pi f), with f in units of the low rate.
std::vector<double> times_sine_square(std::span<const double> taps) {
  const auto tap = [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(std::abs(i));
    return at < taps.size() ? taps[at] : 0.0;
  };
  std::vector<double> result;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(taps.size()) + 2; ++i)
    result.push_back(0.5 * tap(i) - 0.25 * (tap(i - 2) + tap(i + 2)));
  return result;
}

/// The filter times 1 + a sin^2(pi f) + b sin^4(pi f), which compensates the losses.
std::vector<double> raised(std::vector<double> taps, std::span<const DecimatorChain::Loss> losses) {
  if (losses.empty()) return taps;
  const auto slope = [](const DecimatorChain::Loss& loss) {
    return (1.0 / loss.gain - 1.0) / sine_square(loss.frequency);
  };
  const double first = sine_square(losses.front().frequency);
  const double last = sine_square(losses.back().frequency);
  const double b =
      losses.size() == 1 ? 0.0 : (slope(losses.back()) - slope(losses.front())) / (last - first);
  std::vector<double> times = std::move(taps);
  std::vector<double> result = times;
  for (const double factor : {slope(losses.front()) - b * first, b}) {
    if (factor == 0.0) break;
    times = times_sine_square(times);
    result.resize(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) result[i] += factor * times[i];
  }
  return result;
}

/// The smallest multiple of `whole` that is at least `value`.
std::int64_t multiple_of(std::int64_t whole, std::int64_t value) {
  return (value + whole - 1) / whole * whole;
}

}  // namespace

Decimator::Decimator(std::size_t blocks, std::int64_t factor, std::span<const double> taps,
                     std::size_t at_once, std::int64_t late_by)
    : blocks_(blocks),
      factor_(static_cast<std::size_t>(factor)),
      at_once_(at_once),
      period_(at_once * factor_) {
  const auto reach = static_cast<std::int64_t>(taps.size()) - 1;
  // The last result needs `reach` samples more, of which factor - 1 have come.
  late_ = multiple_of(late_by, (reach + factor) / factor - 1);
  needed_ = period_ + static_cast<std::size_t>(late_ * factor + reach);
  apart_ = needed_ | 1;
  memory_.resize(blocks * apart_);
  places_.resize(needed_);
  const auto tap = [&](std::int64_t at) {
    const auto away = static_cast<std::size_t>(std::abs(at));
    return away < taps.size() && std::abs(taps[away]) > nothing * std::abs(taps[0]) ? taps[away]
                                                                                    : 0.0;
  };
  // Results share the samples of those taps that lie a multiple of the factor apart.
  for (std::int64_t first = -reach; first < factor - reach; ++first) {
    std::size_t used = 0;
    for (std::int64_t t = first; t <= reach; t += factor) used += tap(t) != 0.0 ? 1 : 0;
    constexpr auto some = static_cast<std::int64_t>(group);
    for (std::int64_t t = first; t < reach + some * factor && used > 0; t += factor) {
      const auto offset = static_cast<std::size_t>(t + reach);
      if (used < group) {
        if (tap(t) != 0.0) own_.push_back({offset, static_cast<float>(tap(t))});
        continue;
      }
      Part part{.offset = offset, .taps = {}};
      for (std::int64_t k = 0; k < some; ++k)
        part.taps[static_cast<std::size_t>(k)] = static_cast<float>(tap(t - k * factor));
      if (std::ranges::any_of(part.taps, [](float value) { return value != 0.0f; }))
        parts_.push_back(part);
    }
  }
}

bool Decimator::push() {
  next_ = next_ + 1 < needed_ ? next_ + 1 : 0;
  if (++filled_ < period_) return false;
  filled_ = 0;
  // The next one to be written is the oldest.
  for (std::size_t i = 0; i < needed_; ++i) places_[i] = slot(i);
  return true;
}

void Decimator::make(std::size_t block, float* out, std::span<const std::size_t> slots) {
  const float* const samples = this->samples(block);
  constexpr std::size_t step = widest_lanes<float>;
  for (std::size_t from = 0; from < at_once_; from += group) {
    const std::size_t* const rows = &places_[from * factor_];
    Lanes sum[group][parts_of_block];
    for (auto& one : sum) {
      for (Lanes& lane : one) lane = Lanes{};
    }
    for (const Part& part : parts_) {
      const float* const sample = samples + rows[part.offset];
      Lanes signals[parts_of_block];
      for (std::size_t j = 0; j < parts_of_block; ++j) signals[j] = load<Lanes>(sample + j * step);
      for (std::size_t k = 0; k < group; ++k) {
        const float tap = part.taps[k];
        for (std::size_t j = 0; j < parts_of_block; ++j) sum[k][j] += tap * signals[j];
      }
    }
    for (const Own& own : own_) {
      for (std::size_t k = 0; k < group; ++k) {
        const float* const sample = samples + rows[own.offset + k * factor_];
        for (std::size_t j = 0; j < parts_of_block; ++j)
          sum[k][j] += own.tap * load<Lanes>(sample + j * step);
      }
    }
    for (std::size_t k = 0; k < group; ++k) {
      for (std::size_t j = 0; j < parts_of_block; ++j)
        store(out + slots[from + k] + j * step, sum[k][j]);
    }
  }
}

void Decimator::serialize(Archive& archive) {
  archive.number(next_, filled_);
  if (next_ >= needed_ || filled_ >= period_) throw InputError({}, "not the state of this filter");
  archive.numbers(std::span(memory_));
}

DecimatorChain::DecimatorChain(std::size_t blocks, std::int64_t factor,
                               std::span<const Loss> losses, double attenuation, double band) {
  std::vector<std::int64_t> factors;
  std::int64_t first = factor;
  for (int halvings = 0; halvings < 2 && first % 2 == 0 && first > 1; ++halvings) {
    factors.insert(factors.begin(), 2);
    first /= 2;
  }
  if (first > 1 || factors.empty()) factors.insert(factors.begin(), first);
  // Rates relative to the last one.
  std::vector<std::vector<double>> taps;
  auto high = factor;
  for (const std::int64_t one : factors) {
    const std::int64_t low = high / one;
    const LowPass filter(static_cast<double>(high), band, static_cast<double>(low) - band,
                         attenuation);
    taps.emplace_back(filter.taps().begin(), filter.taps().end());
    if (low == 1 && one == 2) taps.back() = raised(std::move(taps.back()), losses);
    high = low;
  }
  make_stages(blocks, taps, factors, Decimator::group);
  std::size_t memory = 0;
  for (const Decimator& stage : stages_) memory += stage.memory();
  if (memory > near_cache) make_stages(blocks, taps, factors, most_at_once);
  for (const Decimator& stage : stages_) {
    auto& slots = handed_on_.emplace_back().slots;
    for (std::size_t k = 0; k < stage.at_once(); ++k) slots.push_back(k * Decimator::lanes);
  }
}

/// The last stage makes `at_once` results.
void DecimatorChain::make_stages(std::size_t blocks, std::span<const std::vector<double>> taps,
                                 std::span<const std::int64_t> factors, std::size_t at_once) {
  stages_.clear();
  late_ = 0;
  std::int64_t low = 1;
  for (const std::int64_t one : factors) low *= one;
  for (std::size_t s = 0; s < taps.size(); ++s) {
    low /= factors[s];
    // The delay is a whole number of results of the last stage.
    const auto some = std::lcm(Decimator::group, static_cast<std::size_t>(low));
    stages_.emplace_back(blocks, factors[s], taps[s], low == 1 ? at_once : some, low);
    late_ += stages_.back().late() / low;
  }
}

bool DecimatorChain::push(std::size_t count) {
  bool is_complete = true;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    handed_on_[s].is_due = false;
    if (!is_complete) continue;
    // Earlier stages pass on all results that they compute together, of which this stage takes
    // complete sets.
    for (std::size_t k = 0; k < count; ++k) is_complete = stages_[s].push();
    handed_on_[s].is_due = is_complete;
    if (s + 1 == stages_.size()) break;
    count = stages_[s].at_once();
    for (std::size_t k = 0; k < count; ++k) handed_on_[s].slots[k] = stages_[s + 1].slot(k);
  }
  return is_complete;
}

void DecimatorChain::filter(std::size_t block) {
  for (std::size_t s = 0; s < stages_.size() && handed_on_[s].is_due; ++s) {
    stages_[s].fetch(block + 1);
    if (s + 1 < stages_.size()) stages_[s + 1].fetch(block + 1, handed_on_[s].slots);
  }
  for (std::size_t s = 0; s + 1 < stages_.size() && handed_on_[s].is_due; ++s)
    stages_[s].make(block, stages_[s + 1].samples(block), handed_on_[s].slots);
}

void DecimatorChain::make(std::size_t block, Results& results) {
  stages_.back().make(block, results.data(), handed_on_.back().slots);
}

}  // namespace peal::util

#include <peal/play/ear_filter.h>
#include <peal/play/pressure_bank.h>

#include <algorithm>

namespace peal::play {

EarFilter::EarFilter() : past_(taps - 1 + static_cast<std::size_t>(block_size), 0.0f) {
  now_[taps - 1] = target_[taps - 1] = 1.0f;
}

void EarFilter::set(std::span<const float> to, std::int64_t ramp) {
  if (done_ < ramp_) {
    const float share = static_cast<float>(done_) / static_cast<float>(ramp_);
    for (std::size_t k = 0; k < taps; ++k) now_[k] += share * (target_[k] - now_[k]);
  } else {
    now_ = target_;
  }
  target_ = {};
  for (std::size_t k = 0; k < std::min(to.size(), taps); ++k) target_[taps - 1 - k] = to[k];
  ramp_ = std::max<std::int64_t>(ramp, 0);
  done_ = 0;
  if (ramp_ == 0) now_ = target_;
  length_ = 1;
  for (std::size_t k = 0; k < taps; ++k)
    if (now_[taps - 1 - k] != 0.0f || target_[taps - 1 - k] != 0.0f) length_ = k + 1;
}

float EarFilter::sum(const Taps& filter, const float* from) const {
  constexpr std::size_t width = 8;
  float sums[width] = {};
  // Whole groups of taps, from the last that are not zero.
  for (std::size_t k = (taps - length_) / width * width; k < taps; k += width)
    for (std::size_t i = 0; i < width; ++i) sums[i] += filter[k + i] * from[k + i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void EarFilter::process(std::span<const float> in, std::span<float> out) {
  const auto count = static_cast<std::int64_t>(in.size());
  const bool is_silent = std::ranges::all_of(in, [](float x) { return x == 0.0f; });
  silent_ = is_silent ? std::min<std::int64_t>(silent_ + count, taps) : 0;
  if (silent_ >= static_cast<std::int64_t>(taps)) {
    std::ranges::fill(out, 0.0f);
    std::ranges::fill(past_, 0.0f);
    done_ = std::min(done_ + count, ramp_);
    return;
  }
  std::ranges::copy(in, past_.begin() + (taps - 1));
  for (std::size_t n = 0; n < in.size(); ++n) {
    const float* const from = &past_[n];
    float value = sum(target_, from);
    if (done_ < ramp_) {
      const float share = static_cast<float>(++done_) / static_cast<float>(ramp_);
      value = share * value + (1.0f - share) * sum(now_, from);
    }
    out[n] = value;
  }
  std::copy_n(past_.begin() + static_cast<std::ptrdiff_t>(in.size()), taps - 1, past_.begin());
}

void EarFilter::silence() {
  std::ranges::fill(past_, 0.0f);
  silent_ = taps;
}

}  // namespace peal::play

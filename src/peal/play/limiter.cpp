#include <peal/play/limiter.h>

#include <algorithm>
#include <cmath>

namespace peal::play {

namespace {

constexpr double release_time = 0.1;  // [s]: shorter ones distort low tones
constexpr float ceiling = 0.999f;     // of full scale
/// In single precision the release ends at 0.9998.
constexpr float nearly_one = 0.9995f;

}  // namespace

Limiter::Limiter(base::Rate rate)
    : release_(static_cast<float>(1.0 - std::exp(-rate.step() / release_time))),
      wanted_(look_ahead, 1.0f),
      smallest_(look_ahead, 1.0f),
      idle_(2 * look_ahead) {
  for (auto& channel : delayed_) channel.assign(look_ahead, 0.0f);
}

float Limiter::smallest_wanted() const {
  return *std::ranges::min_element(wanted_);
}

// The gain of a sample is the mean over look_ahead samples of the smallest gain that any sample of
// the last look_ahead wanted. All of these include the sample that leaves now, so that the mean is
// at most what that sample wants; and a mean has no steps.
void Limiter::process(std::int64_t count, std::span<float* const, ears> channels) {
  for (std::int64_t n = 0; n < count; ++n) {
    const float peak = std::max(std::abs(channels[0][n]), std::abs(channels[1][n]));
    const float needed = peak > ceiling ? ceiling / peak : 1.0f;
    held_ = std::min(needed, held_ + (1.0f - held_) * release_);
    if (held_ > nearly_one) held_ = 1.0f;
    const auto at = static_cast<std::size_t>(position_);
    position_ = (position_ + 1) % look_ahead;
    wanted_[at] = held_;
    idle_ = held_ < 1.0f ? 0 : idle_ + 1;
    float gain = 1.0f;
    if (idle_ < 2 * look_ahead) {
      smallest_[at] = smallest_wanted();
      for (const float one : smallest_) gain += one;
      gain = (gain - 1.0f) / static_cast<float>(look_ahead);
    }
    reported_ = std::min(reported_, gain);
    for (std::size_t ear = 0; ear < ears; ++ear) {
      const float leaving = delayed_[ear][at];
      delayed_[ear][at] = channels[ear][n];
      channels[ear][n] = gain * leaving;
    }
  }
}

float Limiter::take_smallest_gain() {
  const float smallest = reported_;
  reported_ = 1.0f;
  return smallest;
}

}  // namespace peal::play

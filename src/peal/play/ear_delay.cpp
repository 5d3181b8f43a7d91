#include <peal/play/ear_delay.h>
#include <peal/util/kaiser_sinc.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace peal::play {

namespace {

constexpr std::size_t delay_phases = 128;
constexpr double delay_kaiser_beta = 5.0;

using DelayTable = std::array<std::array<float, EarDelay::taps>, delay_phases + 1>;

/// Weights of the samples around an instant, by the fraction of a sample that it is early.
DelayTable make_delay_table() {
  DelayTable table;
  constexpr auto half = static_cast<double>(EarDelay::latency);
  for (std::size_t phase = 0; phase <= delay_phases; ++phase) {
    const double fraction = static_cast<double>(phase) / delay_phases;
    std::array<double, EarDelay::taps> row;
    double sum = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      row[k] = util::kaiser_sinc(static_cast<double>(k) - half + fraction, half, delay_kaiser_beta);
      sum += row[k];
    }
    // Equal sums: a constant stays constant while the delay moves.
    for (std::size_t k = 0; k < row.size(); ++k) table[phase][k] = static_cast<float>(row[k] / sum);
  }
  return table;
}

const DelayTable delay_table = make_delay_table();

}  // namespace

EarDelay::EarDelay(std::size_t longest) : past_(2 * (longest + taps + 1), 0.0f) {}

void EarDelay::set(double delay, std::int64_t ramp) {
  target_ = delay;
  left_ = ramp;
  if (ramp <= 0)
    now_ = target_;
  else
    step_ = (target_ - now_) / static_cast<double>(ramp);
}

float EarDelay::between(std::size_t first, double fraction) const {
  const double phase = fraction * delay_phases;
  const auto row = std::min(static_cast<std::size_t>(phase), delay_phases - 1);
  const auto blend = static_cast<float>(phase - static_cast<double>(row));
  const auto &lower = delay_table[row], &upper = delay_table[row + 1];
  const float* const past = &past_[first];
  constexpr std::size_t width = 8;
  float sums[width] = {};
  for (std::size_t k = 0; k < taps; k += width)
    for (std::size_t i = 0; i < width; ++i)
      sums[i] += (lower[k + i] + blend * (upper[k + i] - lower[k + i])) * past[k + i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

void EarDelay::process(std::span<const float> in, std::span<float> out) {
  const std::size_t size = past_.size() / 2;
  for (std::size_t n = 0; n < in.size(); ++n) {
    if (left_ > 0) now_ = --left_ == 0 ? target_ : now_ + step_;
    past_[at_] = past_[at_ + size] = in[n];
    const double whole = std::floor(now_), fraction = now_ - whole;
    // The first of the samples from 2 latency before the delayed instant on.
    const std::size_t back = static_cast<std::size_t>(whole) + taps;
    const std::size_t first = (at_ + size - back) % size;
    out[n] = fraction == 0.0 ? past_[first + taps / 2] : between(first, fraction);
    at_ = at_ + 1 == size ? 0 : at_ + 1;
  }
}

void EarDelay::silence() {
  std::ranges::fill(past_, 0.0f);
}

}  // namespace peal::play

#include <peal/util/fractional_delay.h>
#include <peal/util/kaiser_sinc.h>

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace peal::util {

namespace {

constexpr double kaiser_beta = 9.0;

double windowed_sinc(double x) {
  return kaiser_sinc(x, FractionalDelay::half, kaiser_beta);
}

using Weights = Eigen::Array<float, FractionalDelay::taps, 1>;
using Row = Eigen::Map<const Weights>;

}  // namespace

DelayLine::DelayLine(std::span<const float> samples, std::int64_t start)
    : padded_(samples.size() + 2 * FractionalDelay::taps),
      start_(start),
      size_(static_cast<std::int64_t>(samples.size())) {
  std::copy(samples.begin(), samples.end(), padded_.begin() + FractionalDelay::taps);
}

FractionalDelay::FractionalDelay()
    : table_([]() -> const std::vector<float>& {
        static const std::vector<float> table = make_table();  // takes a millisecond
        return table;
      }()) {}

std::vector<float> FractionalDelay::make_table() {
  std::vector<float> table((phases + 1) * taps);
  for (int phase = 0; phase <= phases; ++phase) {
    const double fraction = static_cast<double>(phase) / phases;
    std::array<double, taps> row;
    double sum = 0.0;
    for (int k = 0; k < taps; ++k) {
      row[k] = windowed_sinc(k - (half - 1) - fraction);
      sum += row[k];
    }
    // Equal sums: a constant stays exactly constant while the delay moves.
    for (int k = 0; k < taps; ++k) table[phase * taps + k] = static_cast<float>(row[k] / sum);
  }
  return table;
}

std::array<float, FractionalDelay::taps> FractionalDelay::weights(double fraction) const {
  const double phase = fraction * phases;
  const int row = std::min(static_cast<int>(phase), phases - 1);
  const auto blend = static_cast<float>(phase - row);
  const float* lower = table_.data() + row * taps;
  std::array<float, taps> result;
  for (int k = 0; k < taps; ++k) result[k] = lower[k] + blend * (lower[k + taps] - lower[k]);
  return result;
}

std::array<float, 2> FractionalDelay::read(const DelayLine& a, const DelayLine& b, double position,
                                           double compression) const {
  assert(a.start_ == b.start_ && a.size_ == b.size_);
  if (compression > free_compression) {
    const double stretch = compression / free_compression;
    return {stretched(a, position, stretch), stretched(b, position, stretch)};
  }
  const double local = position - static_cast<double>(a.start_);
  if (!(local > -half && local < static_cast<double>(a.size_) + half - 1)) return {0.0f, 0.0f};

  const double whole = std::floor(local);
  const std::array<float, taps> between = weights(local - whole);
  const Row row(between.data());
  const std::int64_t first = static_cast<std::int64_t>(whole) - (half - 1) + taps;
  return {(row * Row(a.padded_.data() + first)).sum(), (row * Row(b.padded_.data() + first)).sum()};
}

float FractionalDelay::read(const DelayLine& line, double position, double compression) const {
  if (compression > free_compression)
    return stretched(line, position, compression / free_compression);
  const double local = position - static_cast<double>(line.start_);
  if (!(local > -half && local < static_cast<double>(line.size_) + half - 1)) return 0.0f;
  const double whole = std::floor(local);
  const std::array<float, taps> between = weights(local - whole);
  const std::int64_t first = static_cast<std::int64_t>(whole) - (half - 1) + taps;
  return (Row(between.data()) * Row(line.padded_.data() + first)).sum();
}

void FractionalDelay::add_delayed(const DelayLine& line, double delay, float gain,
                                  std::int64_t begin, std::span<float> out) const {
  const double whole = std::floor(-delay);
  const std::array<float, taps> between = weights(-delay - whole);
  // The first of the samples that a sample n reads is n + shift in the padded list. Outside of it
  // there are zeros only.
  const std::int64_t shift = static_cast<std::int64_t>(whole) - line.start_ - (half - 1) + taps;
  const std::int64_t padded = line.size_ + 2 * taps;
  const std::int64_t first = std::max(begin, -shift);
  const std::int64_t last =
      std::min(begin + static_cast<std::int64_t>(out.size()), padded - taps + 1 - shift);
  constexpr std::int64_t at_once = 64;
  for (std::int64_t n = first; n < last; n += at_once) {
    const float* samples = line.padded_.data() + n + shift;
    float* sums = out.data() + (n - begin);
    if (last - n >= at_once) {
      using Several = Eigen::Array<float, at_once, 1>;
      Several sum = Several::Zero();
      for (int k = 0; k < taps; ++k) sum += between[k] * Eigen::Map<const Several>(samples + k);
      Eigen::Map<Several>(sums) += gain * sum;
      continue;
    }
    for (std::int64_t i = 0; i < last - n; ++i) {
      float sum = 0.0f;
      for (int k = 0; k < taps; ++k) sum += between[k] * samples[i + k];
      sums[i] += gain * sum;
    }
  }
}

float FractionalDelay::kernel(double distance) const {
  // Row r, tap k holds h(k - (half - 1) - r / phases).
  const double shifted = half - distance;  // k + 1 - fraction, in (0, taps)
  const double k = std::ceil(shifted) - 1.0;
  if (!(k >= 0.0 && k < taps)) return 0.0f;
  const double phase = (k + 1.0 - shifted) * phases;
  const int row = static_cast<int>(phase);
  const auto blend = static_cast<float>(phase - row);
  const float* lower = table_.data() + row * taps + static_cast<int>(k);
  return lower[0] + blend * (row < phases ? lower[taps] - lower[0] : 0.0f);
}

float FractionalDelay::stretched(const DelayLine& line, double position, double stretch) const {
  const double local = position - static_cast<double>(line.start_);
  const double reach = half * stretch;
  const double last = static_cast<double>(line.size_) - 1.0;
  if (!(local + reach > 0.0 && local - reach < last)) return 0.0f;
  const auto from = static_cast<std::int64_t>(std::ceil(std::max(0.0, local - reach)));
  const auto to = static_cast<std::int64_t>(std::floor(std::min(last, local + reach)));
  double sum = 0.0;
  for (std::int64_t k = from; k <= to; ++k) {
    const double distance = (local - static_cast<double>(k)) / stretch;
    sum += static_cast<double>(kernel(distance) * line.padded_[k + taps]);
  }
  return static_cast<float>(sum / stretch);
}

}  // namespace peal::util

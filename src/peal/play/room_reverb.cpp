#include <peal/play/room_reverb.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::play {

namespace {

constexpr double speed_of_sound = 343.2;  ///< [m/s]
/// Delays of the lines over the mean time between two reflections: even in their logarithm, so
/// that echoes do not coincide.
constexpr double shortest = 0.55, longest = 1.7;
constexpr float least_pressure = 1e-15f;  ///< [Pa]; what is below ends, so that no denormals remain

bool is_prime(std::size_t n) {
  for (std::size_t k = 2; k * k <= n; ++k)
    if (n % k == 0) return false;
  return n > 1;
}

/// The mean free path of a cube, 4 V / S, as a time [s].
double reflection_time(double volume) {
  return 2.0 / 3.0 * std::cbrt(volume) / speed_of_sound;
}

}  // namespace

RoomReverb::RoomReverb(base::Rate rate) : rate_(rate) {
  const double most = rate.samples(longest * reflection_time(largest_volume));
  for (Line& line : lines_) line.past.assign(static_cast<std::size_t>(most) + 200, 0.0f);
}

void RoomReverb::set(double volume, double low_time, double high_time) {
  level_ = 0.0f;
  if (!(volume > 0.0)) return;
  volume = std::min(volume, largest_volume);
  double kept = 0.0;  // of the power, at low frequencies
  for (std::size_t i = 0; i < lines; ++i) {
    Line& line = lines_[i];
    const double part = static_cast<double>(i) / (lines - 1);
    const double wanted =
        rate_.samples(reflection_time(volume) * shortest * std::pow(longest / shortest, part));
    line.length = std::max<std::size_t>(static_cast<std::size_t>(wanted), 2);
    while (!is_prime(line.length)) ++line.length;
    std::ranges::fill(line.past, 0.0f);
    line.at = 0;
    line.last = 0.0f;
    const double delay = static_cast<double>(line.length) * rate_.step();
    const double low = std::pow(10.0, -3.0 * delay / low_time);
    const double high = std::pow(10.0, -3.0 * delay / std::min(high_time, low_time));
    // gain (1 - pole) / (1 - pole z^-1) is `low` at 0 Hz and `high` at half the sample rate.
    const double pole = (1.0 - high / low) / (1.0 + high / low);
    line.pole = static_cast<float>(pole);
    line.gain = static_cast<float>(low * (1.0 - pole));
    kept += low * low / lines;
  }
  // With the power 1 at the input, the matrix keeps power and the lines keep `kept` of it, so their
  // outputs have kept / (1 - kept). That should be 16 pi / A.
  const double absorption = 0.161 * volume / low_time;
  level_ =
      static_cast<float>(std::sqrt(16.0 * std::numbers::pi / absorption * (1.0 - kept) / kept));
}

void RoomReverb::process(std::span<const float> strength, std::span<float* const, ears> out) {
  if (!is_on()) return;
  const float enter = 1.0f / std::sqrt(static_cast<float>(lines));
  for (std::size_t n = 0; n < strength.size(); ++n) {
    std::array<float, lines> back;
    float sum = 0.0f, left = 0.0f, right = 0.0f;
    for (std::size_t i = 0; i < lines; ++i) {
      Line& line = lines_[i];
      const float value = line.gain * line.past[line.at] + line.pole * line.last;
      back[i] = line.last = std::abs(value) < least_pressure ? 0.0f : value;
      sum += back[i];
      left += i % 2 == 0 ? back[i] : -back[i];
      right += i / 2 % 2 == 0 ? back[i] : -back[i];
    }
    // The Householder reflection I - 2/N of ones.
    for (std::size_t i = 0; i < lines; ++i) {
      Line& line = lines_[i];
      line.past[line.at] = back[i] - 2.0f / lines * sum + enter * strength[n];
      if (++line.at == line.length) line.at = 0;
    }
    out[0][n] += level_ * left;
    out[1][n] += level_ * right;
  }
}

}  // namespace peal::play

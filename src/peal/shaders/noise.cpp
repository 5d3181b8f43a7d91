#include <peal/shaders/noise.h>
#include <peal/util/fft.h>
#include <peal/util/random.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace peal::shaders {

namespace {

constexpr std::int64_t frame_size = 32768;  ///< 0.68 s at 48 kHz: bins of 1.5 Hz
constexpr std::int64_t hop = frame_size / 2;

/// Amplitude of each bin: the band of the noise at total power 1. A bin at the edge of the band has
/// the share of its width that lies inside, so that a band narrower than a bin sounds, too.
std::vector<double> bin_amplitudes(const scene::NoiseSound& sound, base::Rate rate) {
  std::vector<double> amplitude(hop + 1, 0.0);
  const double width = static_cast<double>(rate.hz) / static_cast<double>(frame_size);  // [Hz]
  double power = 0.0;
  for (std::int64_t k = 1; k < hop; ++k) {
    const double frequency = static_cast<double>(k) * width;
    const double inside = std::min(sound.high, frequency + 0.5 * width) -
                          std::max(sound.low, frequency - 0.5 * width);
    if (inside <= 0.0) continue;
    const double density = sound.colour == scene::NoiseSound::Colour::pink ? 1.0 / frequency : 1.0;
    amplitude[k] = std::sqrt(density * inside / width);
    power += 0.5 * amplitude[k] * amplitude[k];
  }
  const double scale = power > 0.0 ? 1.0 / std::sqrt(power) : 0.0;
  for (double& value : amplitude) value *= scale;
  return amplitude;
}

}  // namespace

void Noise::fill(base::Rate rate, std::int64_t first, std::span<float> out) const {
  const std::vector<double> amplitude = bin_amplitudes(sound_, rate);
  util::RealFft fft(frame_size);
  std::vector<std::complex<double>> spectrum(fft.bins());
  std::vector<double> frame(frame_size);
  std::ranges::fill(out, 0.0f);

  const std::int64_t end = first + static_cast<std::int64_t>(out.size());
  // Frame f covers samples (f - 1) hop, ..., (f + 1) hop - 1.
  for (std::int64_t f = first / hop; (f - 1) * hop < end; ++f) {
    const std::uint64_t frame_seed = util::random_bits(seed_, stream_, f);
    for (std::int64_t k = 0; k <= hop; ++k) {
      const double phase = 2.0 * std::numbers::pi * util::random_uniform(frame_seed, 0, k);
      spectrum[k] = std::polar(0.5 * static_cast<double>(frame_size) * amplitude[k], phase);
    }
    fft.inverse(spectrum, frame);
    const std::int64_t start = (f - 1) * hop;
    for (std::int64_t n = std::max(start, first); n < std::min(start + frame_size, end); ++n) {
      const double window = std::sin(std::numbers::pi * (static_cast<double>(n - start) + 0.5) /
                                     static_cast<double>(frame_size));
      out[n - first] += static_cast<float>(window * frame[n - start]);
    }
  }
}

}  // namespace peal::shaders

#include <peal/util/fft.h>
#include <peal/util/spectrum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace peal::util {

double level_db(double power, double reference) {
  if (power <= 0.0) return -std::numeric_limits<double>::infinity();
  return 10.0 * std::log10(power) - 20.0 * std::log10(reference);
}

std::vector<double> hann_window(std::size_t size) {
  std::vector<double> window(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double s =
        std::sin(std::numbers::pi * (static_cast<double>(i) + 0.5) / static_cast<double>(size));
    window[i] = s * s;
  }
  return window;
}

struct FrameSpectrum::State {
  explicit State(const FrameSettings& settings)
      : fft(std::max(settings.window, settings.transform)),
        window(hann_window(settings.window)),
        frame(fft.size()),
        spectrum(fft.bins()),
        power(fft.bins()),
        sample_rate(settings.sample_rate) {}

  template <class Sample>
  void cut(std::span<const Sample> signal, std::ptrdiff_t start) {
    const auto size = static_cast<std::ptrdiff_t>(window.size());
    const auto end = static_cast<std::ptrdiff_t>(signal.size());
    const std::ptrdiff_t from = std::clamp<std::ptrdiff_t>(-start, 0, size);
    const std::ptrdiff_t to = std::clamp<std::ptrdiff_t>(end - start, from, size);
    std::fill(frame.begin(), frame.end(), 0.0);
    for (std::ptrdiff_t i = from; i < to; ++i) {
      frame[i] = window[i] * static_cast<double>(signal[start + i]);
    }
  }

  /// |X|^2 -> mean square: a sine of amplitude A on a bin gives |X| = A/2 sum(window) = A n / 4.
  std::span<const double> transform() {
    fft.forward(frame, spectrum);
    const double window_sum = 0.5 * static_cast<double>(window.size());
    const double both_sides = 2.0 / (window_sum * window_sum);
    for (std::size_t k = 0; k < power.size(); ++k) power[k] = both_sides * std::norm(spectrum[k]);
    power.front() *= 0.5;
    power.back() *= 0.5;
    return power;
  }

  RealFft fft;
  std::vector<double> window;
  std::vector<double> frame;
  std::vector<std::complex<double>> spectrum;
  std::vector<double> power;
  double sample_rate;
};

FrameSpectrum::FrameSpectrum(const FrameSettings& settings)
    : state_(std::make_unique<State>(settings)) {}
FrameSpectrum::~FrameSpectrum() = default;
FrameSpectrum::FrameSpectrum(FrameSpectrum&&) noexcept = default;
FrameSpectrum& FrameSpectrum::operator=(FrameSpectrum&&) noexcept = default;

std::size_t FrameSpectrum::bins() const {
  return state_->power.size();
}

double FrameSpectrum::bin_width() const {
  return state_->sample_rate / static_cast<double>(state_->fft.size());
}

double FrameSpectrum::noise_bandwidth() const {
  return 1.5 * state_->sample_rate / static_cast<double>(state_->window.size());
}

std::span<const double> FrameSpectrum::power(std::span<const float> signal, std::ptrdiff_t start) {
  state_->cut(signal, start);
  return state_->transform();
}

std::span<const double> FrameSpectrum::power(std::span<const double> signal, std::ptrdiff_t start) {
  state_->cut(signal, start);
  return state_->transform();
}

Spectrogram spectrogram(std::span<const double> signal, std::size_t hop,
                        const FrameSettings& settings) {
  if (hop == 0) throw std::invalid_argument("spectrogram: the hop must be at least one sample");
  FrameSpectrum frames(settings);
  Spectrogram result;
  result.frames = (signal.size() + hop - 1) / hop;
  result.bins = frames.bins();
  result.bin_width = frames.bin_width();
  result.frame_step = static_cast<double>(hop) / settings.sample_rate;
  result.power.reserve(result.frames * result.bins);
  const auto half = static_cast<std::ptrdiff_t>(settings.window / 2);
  for (std::size_t j = 0; j < result.frames; ++j) {
    const auto power = frames.power(signal, static_cast<std::ptrdiff_t>(j * hop) - half);
    result.power.insert(result.power.end(), power.begin(), power.end());
  }
  return result;
}

namespace {

template <class Sample>
PowerSpectrum average(std::span<const Sample> signal, FrameSettings settings, Ends ends) {
  if (signal.empty()) return {};
  settings.window = std::min(settings.window, (signal.size() + 3) / 4 * 4);
  FrameSpectrum frames(settings);
  PowerSpectrum result{frames.bin_width(), frames.noise_bandwidth(),
                       std::vector<double>(frames.bins())};

  const auto window = static_cast<std::ptrdiff_t>(settings.window);
  const auto length = static_cast<std::ptrdiff_t>(signal.size());
  const std::ptrdiff_t hop = std::max<std::ptrdiff_t>(1, window / 4);
  const std::ptrdiff_t first = ends == Ends::padded ? hop - window : 0;
  const std::ptrdiff_t last = ends == Ends::padded ? length - 1 : std::max(length - window, first);
  std::ptrdiff_t count = 0;
  for (std::ptrdiff_t start = first; start <= last; start += hop, ++count) {
    const auto power = frames.power(signal, start);
    for (std::size_t k = 0; k < power.size(); ++k) result.power[k] += power[k];
  }
  // Padded: as many frames as the signal is hops long, so that the ends are not counted as signal.
  const double share = ends == Ends::padded ? static_cast<double>(hop) / static_cast<double>(length)
                                            : 1.0 / static_cast<double>(count);
  for (double& power : result.power) power *= share;
  return result;
}

}  // namespace

PowerSpectrum average_power(std::span<const float> signal, const FrameSettings& settings,
                            Ends ends) {
  return average(signal, settings, ends);
}

PowerSpectrum average_power(std::span<const double> signal, const FrameSettings& settings,
                            Ends ends) {
  return average(signal, settings, ends);
}

}  // namespace peal::util

#include <peal/util/fft.h>
#include <peal/util/measure.h>
#include <peal/util/spectrum.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace peal::util {

namespace {

using Complex = std::complex<double>;
constexpr double two_pi = 2.0 * std::numbers::pi;

/// A tone about the centre of the signal, in samples: well conditioned for the fit.
/// model(s) = exp(-sigma s) (a cos(omega s) + b sin(omega s)), s = i - (n-1)/2
struct Centred {
  double omega = 0;  ///< [rad/sample]
  double sigma = 0;  ///< [1/sample]
  double a = 0;
  double b = 0;
};

double centre(std::size_t n) {
  return 0.5 * (static_cast<double>(n) - 1.0);
}

Tone to_tone(const Centred& tone, std::size_t n, double sample_rate) {
  const double shift = -centre(n);
  const double magnitude = std::hypot(tone.a, tone.b);
  const double phase = std::atan2(-tone.b, tone.a) + tone.omega * shift;
  return {tone.omega * sample_rate / two_pi, magnitude * std::exp(-tone.sigma * shift),
          std::remainder(phase, two_pi), tone.sigma * sample_rate};
}

/// Hann-weighted least squares over a, b, a constant and, where asked, changes of omega and sigma.
class Fit {
 public:
  explicit Fit(std::span<const double> signal)
      : signal_(signal), weight_(hann_window(signal.size())) {}

  /// Amplitudes for the given omega and sigma.
  void solve_linear(Centred& tone) const {
    const Eigen::VectorXd x = solve(tone, 3);
    tone.a = x[0];
    tone.b = x[1];
  }

  /// One Gauss-Newton step; returns the change of omega.
  double refine(Centred& tone, bool with_decay) const {
    const Eigen::VectorXd x = solve(tone, with_decay ? 5 : 4);
    tone.omega += x[3];
    if (with_decay) tone.sigma += x[4];
    solve_linear(tone);
    return x[3];
  }

 private:
  /// Minimises sum_i w_i (row_i . x - signal_i)^2 over the first `count` columns of
  /// row = (cos, sin, 1, d model/d omega, d model/d sigma), by the normal equations.
  Eigen::VectorXd solve(const Centred& tone, int count) const {
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(count, count);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(count);
    const double middle = centre(signal_.size());
    for (std::size_t i = 0; i < signal_.size(); ++i) {
      const double s = static_cast<double>(i) - middle;
      const double envelope = std::exp(-tone.sigma * s);
      const double even = envelope * std::cos(tone.omega * s);
      const double odd = envelope * std::sin(tone.omega * s);
      const std::array<double, 5> row = {even, odd, 1.0, s * (tone.b * even - tone.a * odd),
                                         -s * (tone.a * even + tone.b * odd)};
      for (int p = 0; p < count; ++p) {
        for (int q = 0; q <= p; ++q) normal(p, q) += weight_[i] * row[p] * row[q];
        right[p] += weight_[i] * row[p] * signal_[i];
      }
    }
    // Columns differ in size by the length of the signal: scale the diagonal to one.
    Eigen::VectorXd scale(count);
    for (int p = 0; p < count; ++p) scale[p] = normal(p, p) > 0 ? 1 / std::sqrt(normal(p, p)) : 0;
    for (int p = 0; p < count; ++p) {
      for (int q = 0; q <= p; ++q) normal(p, q) *= scale[p] * scale[q];
      right[p] *= scale[p];
    }
    const Eigen::VectorXd x = normal.ldlt().solve(right);
    return x.cwiseProduct(scale);
  }

  std::span<const double> signal_;
  std::vector<double> weight_;
};

/// Hann-windowed Fourier sum of a stretch of the signal at one frequency, phase taken from its
/// centre.
Complex fourier_sum(std::span<const double> signal, double omega) {
  const std::vector<double> window = hann_window(signal.size());
  const double middle = centre(signal.size());
  Complex sum = 0;
  for (std::size_t i = 0; i < signal.size(); ++i) {
    sum += window[i] * signal[i] * std::polar(1.0, -omega * (static_cast<double>(i) - middle));
  }
  return sum;
}

/// Frequency of the strongest spectral peak [rad/sample] by a parabola through the logarithms of
/// three bins of a zero-padded spectrum; 0 if there is none.
double peak_omega(std::span<const double> signal, double near, double radius) {
  const std::size_t n = signal.size();
  FrameSpectrum frames({.window = n, .transform = fast_fft_size(4 * n), .sample_rate = two_pi});
  const std::span<const double> power = frames.power(signal, 0);
  const auto bin_of = [&](double omega) {
    const double bin = std::clamp(omega / frames.bin_width(), 1.0, double(power.size() - 2));
    return static_cast<std::size_t>(std::lround(bin));
  };
  const std::size_t first = radius > 0 ? bin_of(near - radius) : 1;
  const std::size_t last = radius > 0 ? bin_of(near + radius) : power.size() - 2;
  const auto top = std::max_element(power.begin() + first, power.begin() + last + 1);
  const auto k = static_cast<std::size_t>(top - power.begin());
  if (!(power[k] > 0.0)) return 0.0;

  const double left = std::log(std::max(power[k - 1], 1e-300));
  const double mid = std::log(power[k]);
  const double right = std::log(std::max(power[k + 1], 1e-300));
  const double bend = left - 2.0 * mid + right;
  const double shift = bend < 0.0 ? std::clamp(0.5 * (left - right) / bend, -0.5, 0.5) : 0.0;
  return (static_cast<double>(k) + shift) * frames.bin_width();
}

/// Frequency and decay from the two halves: the phase advances by omega n/2 and the magnitude falls
/// by exp(-sigma n/2), exactly so for a single exponential.
Centred from_halves(std::span<const double> signal, double omega) {
  const std::size_t half = signal.size() / 2;
  const double distance = static_cast<double>(signal.size() - half);
  const Complex early = fourier_sum(signal.first(half), omega);
  const Complex late = fourier_sum(signal.last(half), omega);
  Centred tone{.omega = omega};
  if (std::abs(early) == 0.0 || std::abs(late) == 0.0) return tone;
  const Complex ratio = late / early;
  const double advance = std::remainder(std::arg(ratio) - omega * distance, two_pi);
  if (std::abs(advance) < 0.5 * std::numbers::pi) tone.omega += advance / distance;
  tone.sigma = -std::log(std::abs(ratio)) / distance;
  return tone;
}

Tone find(std::span<const double> signal, double sample_rate, double near, double radius,
          bool with_decay) {
  if (signal.size() < 16) throw std::invalid_argument("find_tone: needs at least 16 samples");
  // The scale of the samples does not matter to the frequency, and extremes would underflow.
  const double scale = peak(signal);
  if (!(scale > 0.0) || !std::isfinite(scale)) return {};
  std::vector<double> scaled(signal.begin(), signal.end());
  for (double& x : scaled) x /= scale;

  const double to_omega = two_pi / sample_rate;
  const double omega = peak_omega(scaled, near * to_omega, radius * to_omega);
  if (omega == 0.0) return {};
  Centred tone = from_halves(scaled, omega);
  if (!with_decay) tone.sigma = 0.0;

  const Fit fit(scaled);
  fit.solve_linear(tone);
  const double bin = two_pi / static_cast<double>(signal.size());
  Centred best = tone;
  for (int step = 0; step < 20; ++step) {
    const double change = fit.refine(tone, with_decay);
    if (!(std::abs(tone.omega - omega) < bin) || !std::isfinite(tone.sigma)) break;
    best = tone;
    if (std::abs(change) < 1e-15 * omega + 1e-13 * bin) break;
  }
  Tone result = to_tone(best, signal.size(), sample_rate);
  result.amplitude *= scale;
  return result;
}

}  // namespace

std::vector<double> as_double(std::span<const float> signal) {
  return {signal.begin(), signal.end()};
}

double mean(std::span<const double> signal) {
  double sum = 0;
  for (const double x : signal) sum += x;
  return signal.empty() ? 0.0 : sum / static_cast<double>(signal.size());
}

double rms(std::span<const double> signal) {
  double sum = 0;
  for (const double x : signal) sum += x * x;
  return signal.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(signal.size()));
}

double peak(std::span<const double> signal) {
  double largest = 0;
  for (const double x : signal) {
    if (!(std::abs(x) <= largest)) largest = std::abs(x);  // NaN is kept, not skipped
  }
  return largest;
}

double click(std::span<const double> signal) {
  double largest = 0;
  for (std::size_t i = 1; i + 1 < signal.size(); ++i) {
    largest = std::max(largest, std::abs(signal[i - 1] - 2.0 * signal[i] + signal[i + 1]));
  }
  return largest > 0.0 ? largest / rms(signal) : 0.0;
}

Tone tone_at(std::span<const double> signal, double sample_rate, double frequency) {
  Centred tone{.omega = two_pi * frequency / sample_rate};
  Fit(signal).solve_linear(tone);
  return to_tone(tone, signal.size(), sample_rate);
}

Tone find_tone(std::span<const double> signal, double sample_rate, double near, double radius) {
  return find(signal, sample_rate, near, radius, false);
}

Tone find_mode(std::span<const double> signal, double sample_rate, double near, double radius) {
  return find(signal, sample_rate, near, radius, true);
}

double decay_time(std::span<const double> signal, double sample_rate, double near, double radius) {
  const double decay = find_mode(signal, sample_rate, near, radius).decay;
  return decay > 0.0 ? 1.0 / decay : std::numeric_limits<double>::infinity();
}

double spectral_centroid(std::span<const double> signal, double sample_rate) {
  std::vector<double> moving(signal.begin(), signal.end());
  const double offset = mean(signal);
  for (double& x : moving) x -= offset;
  const PowerSpectrum spectrum = average_power(moving, {.sample_rate = sample_rate}, Ends::padded);
  double weighted = 0;
  double total = 0;
  for (std::size_t k = 1; k < spectrum.power.size(); ++k) {
    weighted += static_cast<double>(k) * spectrum.bin_width * spectrum.power[k];
    total += spectrum.power[k];
  }
  return total > 0.0 ? weighted / total : 0.0;
}

}  // namespace peal::util

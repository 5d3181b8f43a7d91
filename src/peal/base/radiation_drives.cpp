#include <peal/base/radiation_drives.h>

#include <array>
#include <cmath>
#include <numbers>

namespace peal::base {

namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

/// The spectrum of half a sine about its middle (Chadwick et al. 2012, equation 10).
double half_sine_spectrum(double x) {
  const double rest = 1.0 - 4.0 * x * x;
  // cos(pi x) / (1 - 4 x^2) -> pi / 4 at x = 1/2.
  if (std::abs(rest) < 1e-6) return pi / 4.0;
  return std::cos(pi * x) / rest;
}

/// The spectrum of Hertz' profile about its middle, by a table of its cosine transform.
class HertzSpectrum {
 public:
  HertzSpectrum() {
    // The pulse is even about its middle: the later half, in slices.
    constexpr int slices = 512;
    std::array<double, slices> parts{};
    double before = 0.5;
    for (int s = 0; s < slices; ++s) {
      const double after = pulse_passed(PulseProfile::hertz, 0.5 + 0.5 * (s + 1.0) / slices);
      parts[static_cast<std::size_t>(s)] = 2.0 * (after - before);
      before = after;
    }
    for (std::size_t i = 0; i < table_.size(); ++i) {
      const double x = static_cast<double>(i) / per_unit;
      for (int s = 0; s < slices; ++s)
        table_[i] += parts[static_cast<std::size_t>(s)] * std::cos(pi * x * (s + 0.5) / slices);
    }
  }

  /// Cubic through four values of the table, which is an even function.
  double operator()(double x) const {
    const double at = std::abs(x) * per_unit;
    const auto i = static_cast<std::size_t>(at);
    if (i + 2 >= table_.size()) return 0.0;  // below 1e-5
    const double u = at - static_cast<double>(i);
    const double a = table_[i == 0 ? 1 : i - 1], b = table_[i], c = table_[i + 1],
                 d = table_[i + 2];
    return -u * (u - 1) * (u - 2) / 6 * a + (u + 1) * (u - 1) * (u - 2) / 2 * b -
           (u + 1) * u * (u - 2) / 2 * c + (u + 1) * u * (u - 1) / 6 * d;
  }

 private:
  static constexpr double per_unit = 32.0;
  std::array<double, 64 * 32 + 3> table_{};
};

}  // namespace

Complex pulse_spectrum(PulseProfile profile, double x) {
  static const HertzSpectrum hertz;
  const double about_middle = profile == PulseProfile::half_sine ? half_sine_spectrum(x) : hertz(x);
  return about_middle * std::polar(1.0, -pi * x);
}

}  // namespace peal::base

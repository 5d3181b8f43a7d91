#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace peal::util {

/// A low-pass filter without delay: a symmetric FIR filter with a Kaiser window, attenuated by
/// `attenuation` [dB] from `stop` [Hz] on and equally flat up to `pass` [Hz] (1e-4 at 80 dB; Kaiser
/// 1974: length and shape of the window).
class LowPass {
 public:
  static constexpr double full_attenuation = 80.0;  ///< [dB]

  /// `attenuation` must be at least 50 dB.
  LowPass(double sample_rate, double pass, double stop, double attenuation = full_attenuation);

  /// Samples by which the result is longer than its input at each end.
  std::size_t reach() const { return taps_.size() - 1; }
  /// The taps from the middle outwards; their sum over both sides is 1.
  std::span<const double> taps() const { return taps_; }
  /// Filters a signal. Sample i of the result belongs to sample i - reach() of the input.
  std::vector<float> apply(std::span<const float> samples) const;

 private:
  std::vector<double> taps_;  ///< taps from the middle outwards
};

}  // namespace peal::util

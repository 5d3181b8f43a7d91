#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace peal::radiation {

/// Reading between samples for filters that are made anew again and again: a sinc under Kaiser's
/// window (beta 6.25) of 12 samples, within 1.4e-3 up to a third of the rate and 1e-2 up to 0.37 of
/// it. (util::FractionalDelay is as good to 0.43 and four times as long.)
class ShortDelay {
 public:
  static constexpr int taps = 12;
  static constexpr int half = taps / 2;
  static constexpr std::size_t padded = 16;
  static constexpr std::size_t most_shift = padded - taps;
  using Weights = std::array<float, padded>;  ///< zeros, taps, and zeros

  ShortDelay();

  /// `lower` and `upper` are tabled weights, to be blended.
  struct Between {
    const float *lower, *upper;
    float blend;
  };
  /// The value at whole + fraction is the sum of these weights times the samples from
  /// whole - (half - 1) - shift on. `fraction` is from 0 to 1, `shift` up to most_shift.
  Between between(float fraction, std::size_t shift = 0) const {
    const float phase = fraction * phases;
    const int row = phase < phases ? static_cast<int>(phase) : phases - 1;
    const float* const lower = table_[static_cast<std::size_t>(row)].data() + (most_shift - shift);
    return {lower, lower + row_length, phase - static_cast<float>(row)};
  }
  Weights weights(float fraction, std::size_t shift = 0) const {
    const Between at = between(fraction, shift);
    Weights weights;
    for (std::size_t i = 0; i < padded; ++i)
      weights[i] = at.lower[i] + at.blend * (at.upper[i] - at.lower[i]);
    return weights;
  }

 private:
  static constexpr int phases = 256;
  static constexpr std::size_t row_length = padded + most_shift;
  std::vector<std::array<float, row_length>> table_;  ///< taps between zeros
};

}  // namespace peal::radiation

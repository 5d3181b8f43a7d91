#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace peal::radiation {

/// Reading between samples for filters that are made anew again and again: a sinc under Kaiser's
/// window of a few samples. (util::FractionalDelay is right to 1e-4 up to 0.43 of the rate and has
/// 48.)
class ShortDelay {
 public:
  static constexpr std::size_t padded = 16;
  using Weights = std::array<float, padded>;  ///< zeros, taps, and zeros

  /// One that will do for what is lower than this part of the rate: of 12 samples (beta 6.25),
  /// within 1.4e-3 up to a third of the rate and 3e-2 at 0.37, or for more of 16 (beta 4.2), within
  /// 1e-2 up to 0.4 and 3e-2 at 0.42.
  static const ShortDelay& for_band(double band);
  static constexpr double widest_band = 0.42;

  std::int32_t taps() const { return taps_; }  ///< an even number
  std::int32_t half() const { return taps_ / 2; }
  std::size_t most_shift() const { return most_shift_; }

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
    const std::size_t row_length = padded + most_shift_;
    const float* const lower =
        &table_[static_cast<std::size_t>(row) * row_length + (most_shift_ - shift)];
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
  ShortDelay(std::int32_t taps, double beta);

  static constexpr int phases = 256;
  std::int32_t taps_;
  std::size_t most_shift_;
  std::vector<float> table_;  ///< row by row: taps between zeros
};

}  // namespace peal::radiation

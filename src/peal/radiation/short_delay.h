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
  using Weights = std::array<float, padded>;  ///< taps, and zeros

  ShortDelay();

  /// The value at whole + fraction is the sum of these times the samples from whole - (half - 1)
  /// on. `fraction` is from 0 to 1.
  Weights weights(double fraction) const {
    const double phase = fraction * phases;
    const int row = phase < phases ? static_cast<int>(phase) : phases - 1;
    const auto blend = static_cast<float>(phase - row);
    const Weights& lower = table_[static_cast<std::size_t>(row)];
    const Weights& upper = table_[static_cast<std::size_t>(row) + 1];
    Weights between;
    for (std::size_t i = 0; i < padded; ++i) between[i] = lower[i] + blend * (upper[i] - lower[i]);
    return between;
  }

 private:
  static constexpr int phases = 256;
  std::vector<Weights> table_;
};

}  // namespace peal::radiation

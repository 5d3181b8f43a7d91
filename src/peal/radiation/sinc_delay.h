#pragma once

#include <peal/util/lanes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace peal::radiation {

/// Interpolates between samples, for filters that are recomputed again and again: a Kaiser-windowed
/// sinc of a few samples. (util::FractionalDelay is accurate to 1e-4 up to 0.43 of the sample rate
/// and has 48.)
class SincDelay {
 public:
  static constexpr std::size_t padded = 16;
  using Weights = std::array<float, padded>;  ///< taps, followed by zeros

  /// The shortest kernel for signals below this fraction of the sample rate: 8 samples (beta 6),
  /// within 1.4e-3 up to a quarter of the rate; 12 samples (beta 6.25), the same up to a third of
  /// it and 3e-2 at 0.37; or for wider bands 16 samples (beta 4.2), within 1e-2 up to 0.4 and 3e-2
  /// at 0.42.
  static const SincDelay& for_band(double band);
  static constexpr double widest_band = 0.42;

  std::int32_t taps() const { return taps_; }  ///< an even number
  std::int32_t half() const { return taps_ / 2; }

  /// The value at whole + fraction is the sum of these weights times the samples from
  /// whole - (half - 1) on. `fraction` is from 0 to 1.
  Weights weights(float fraction) const {
    const float phase = fraction * phases;
    const int row = phase < phases ? static_cast<int>(phase) : phases - 1;
    const Weights &lower = table_[static_cast<std::size_t>(row)], &upper = (&lower)[1];
    const float blend = phase - static_cast<float>(row);
    using Lanes = util::Widest<float>;
    Weights weights;
    for (std::size_t i = 0; i < padded; i += util::widest_lanes<float>) {
      const auto from = util::load<Lanes>(&lower[i]), to = util::load<Lanes>(&upper[i]);
      util::store(&weights[i], from + blend * (to - from));
    }
    return weights;
  }

 private:
  SincDelay(std::int32_t taps, double beta);

  static constexpr int phases = 256;
  std::int32_t taps_;
  std::vector<Weights> table_;  ///< of each phase, and of one beyond
};

}  // namespace peal::radiation

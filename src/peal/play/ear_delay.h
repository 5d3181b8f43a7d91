#pragma once

#include <peal/base/time.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::play {

/// Delays the sound to one ear by a number of samples that changes smoothly. In between, a sinc
/// under a Kaiser window of 16 samples interpolates: within 0.1 dB to 0.37 of the sampling rate.
/// (The one of util::FractionalDelay has three times as many, each a sample of latency.)
class EarDelay {
 public:
  static constexpr std::size_t taps = 16;
  /// Every sound comes this much later: interpolation looks at both sides [samples].
  static constexpr std::int64_t latency = taps / 2;

  /// For delays up to `longest` [samples].
  explicit EarDelay(std::size_t longest);

  /// Changes the delay [samples] over `ramp` samples.
  void set(double delay, std::int64_t ramp);
  /// Overwrites `out` with the next samples.
  void process(std::span<const float> in, std::span<float> out);
  void silence();

 private:
  float between(std::size_t first, double fraction) const;

  std::vector<float> past_;  ///< twice the same samples, so that those of a moment are in a row
  std::size_t at_ = 0;       ///< of the next sample, in the first half
  double now_ = 0.0, step_ = 0.0, target_ = 0.0;  ///< [samples]
  std::int64_t left_ = 0;                         ///< of the ramp
};

}  // namespace peal::play

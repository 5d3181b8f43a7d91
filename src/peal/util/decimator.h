#pragma once

#include <peal/util/lanes.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::util {

/// Lowers the rate of many signals at once by a whole factor while they come in, without delay:
/// sample k of the result belongs to sample k * factor of the input, which counts as silent before
/// its start. For what is too much to be kept at the rate at which it is made.
class Decimator {
 public:
  /// `taps` of a symmetric low-pass filter, from the middle outwards.
  Decimator(std::size_t channels, std::int64_t factor, std::span<const double> taps);

  /// Takes one sample of every channel. If that completes a sample of the result, it is returned,
  /// and stays until the next call; otherwise the result is empty.
  std::span<const float> push(std::span<const float> sample);

  /// Samples of the input after which a sample of the result is complete.
  std::int64_t reach() const { return reach_; }

 private:
  using Lanes = LanesOf<float, 64>::type;
  /// A tap other than zero, and the samples before and after the middle that it belongs to.
  struct Tap {
    float value;
    std::int64_t offset;
    const Lanes *before = nullptr, *after = nullptr;
  };

  const Lanes* sample_at(std::int64_t index) const;

  std::size_t channels_;
  std::size_t width_;  ///< of a sample in whole lanes
  std::int64_t factor_;
  float middle_;           ///< tap
  std::vector<Tap> taps_;  ///< all others
  std::int64_t reach_;
  std::int64_t next_ = 0;       ///< sample of the input
  std::vector<Lanes> samples_;  ///< the last ones of the input, in turn
  std::vector<Lanes> done_;
};

/// The same in several stages, which is much less work for large factors: what is at most 0.42 of
/// the low rate passes flat to 1e-4, and nothing folds onto it from above by more than -80 dB.
class DecimatorChain {
 public:
  /// `factor` is high over low rate: halved twice where it can be, which is done last.
  DecimatorChain(std::size_t channels, std::int64_t factor);

  /// As Decimator's.
  std::span<const float> push(std::span<const float> sample);

  /// Samples of the input after which a sample of the result is complete.
  std::int64_t reach() const { return reach_; }

 private:
  std::vector<Decimator> stages_;
  std::int64_t reach_ = 0;
};

}  // namespace peal::util

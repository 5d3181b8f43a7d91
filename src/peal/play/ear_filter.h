#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::play {

/// The response of an ear to a moving source: a filter whose taps change linearly. A change that
/// comes before the last one has ended starts from the taps of that instant.
class EarFilter {
 public:
  static constexpr std::size_t taps = 128;

  /// Leaves sound as it is.
  EarFilter();

  /// Changes to at most `taps` taps over `ramp` samples.
  void set(std::span<const float> to, std::int64_t ramp);
  /// Overwrites `out` with the next samples; at most block_size.
  void process(std::span<const float> in, std::span<float> out);
  void silence();

 private:
  using Taps = std::array<float, taps>;  ///< the last first

  float sum(const Taps& filter, const float* from) const;

  Taps now_ = {}, target_ = {};
  std::size_t length_ = 1;  ///< of taps that are not zero, from the first on
  std::int64_t ramp_ = 0, done_ = 0;
  std::vector<float> past_;     ///< taps - 1 samples, and the block
  std::int64_t silent_ = taps;  ///< samples since the last that was not zero
};

}  // namespace peal::play

#pragma once

#include <peal/play/pressure_bank.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::play {

/// Keeps both channels within +-1. It looks ahead, so that its gain has fallen before a peak
/// arrives, and delays the sound by that much.
class Limiter {
 public:
  static constexpr std::int64_t look_ahead = 64;  ///< [samples]

  explicit Limiter(base::Rate rate);

  void process(std::int64_t count, std::span<float* const, ears> channels);
  /// The smallest gain since the last call; 1: it did not act.
  float take_smallest_gain();

 private:
  float smallest_wanted() const;

  float release_;  ///< part of the lost gain that returns in a sample
  std::array<std::vector<float>, ears> delayed_;
  std::vector<float> wanted_, smallest_;  ///< gains of the last look_ahead samples
  float held_ = 1.0f, reported_ = 1.0f;
  std::int64_t position_ = 0, idle_ = 0;  ///< samples since a gain below 1
};

}  // namespace peal::play

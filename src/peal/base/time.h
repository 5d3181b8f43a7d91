#pragma once

#include <cstdint>
#include <limits>

namespace peal::base {

/// A whole number of samples per second.
struct Rate {
  std::int64_t hz = 48000;  ///< [1/s]

  /// Time of a sample since the scene's start [s]: one division, never a running sum.
  double seconds(std::int64_t index) const {
    return static_cast<double>(index) / static_cast<double>(hz);
  }
  double step() const { return 1.0 / static_cast<double>(hz); }     ///< [s]
  double nyquist() const { return 0.5 * static_cast<double>(hz); }  ///< [Hz]
  /// Fractional index of a time [s].
  double samples(double t) const { return t * static_cast<double>(hz); }
  /// Time [s] of a fractional index.
  double samples_to_seconds(double index) const { return index / static_cast<double>(hz); }

  bool operator==(const Rate&) const = default;
};

/// A time as a number of samples since the scene's start, at a rate.
struct SampleTime {
  std::int64_t index = 0;
  Rate rate;

  double seconds() const { return rate.seconds(index); }
};

/// The samples begin, ..., end - 1.
struct SampleRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end > begin ? end - begin : 0; }
  bool empty() const { return end <= begin; }
};

/// A half-open interval of the scene's time: begin <= t < end [s].
struct TimeRange {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();

  bool contains(double t) const { return t >= begin && t < end; }
  bool operator==(const TimeRange&) const = default;
};

/// The smallest whole multiple of `rate` that is at least `hz`, so that clocks never drift apart.
Rate multiple_at_least(Rate rate, double hz);

/// A rate that is at least `hz` and at most a thirty-second more, below or above `rate`: a whole
/// multiple of a divisor of `rate`, so that both clocks tick together again and again and never
/// drift apart.
Rate commensurate_at_least(Rate rate, double hz);

/// Two clocks that start together tick together every `samples` of one and `other_samples` of the
/// other.
struct CommonTick {
  CommonTick(Rate rate, Rate other);

  std::int64_t samples, other_samples;
};

}  // namespace peal::base

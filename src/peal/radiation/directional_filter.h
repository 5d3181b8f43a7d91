#pragma once

#include <peal/base/listener.h>
#include <peal/base/world.h>

#include <span>
#include <vector>

namespace peal::radiation {

/// A point that sends sound to a receiver.
struct SendingPoint {
  const base::Motion* motion;
  base::Vec3 offset;  ///< in the motion's frame [m]
};

/// Filters the pressure at a receiver's point by the receiver's response, as its direction from
/// the point changes. Filters are made at whole multiples of `hop` samples and crossfaded in
/// between, so that the result does not depend on blocks.
class DirectionalFilter {
 public:
  static constexpr std::int64_t hop = 64;

  /// Calls prepare() of the response.
  DirectionalFilter(const base::Receiver& receiver, const base::Medium& medium, base::Rate rate);

  /// The range of the pressure that apply() needs for a range.
  base::SampleRange needed(base::SampleRange range) const;
  /// Adds what the receiver gets in `range`; `pressure` is that of needed(range).
  void apply(const SendingPoint& point, std::span<const float> pressure, base::SampleRange range,
             std::span<float> out) const;

 private:
  base::Vec3 direction(const SendingPoint& point, std::int64_t sample) const;

  base::Receiver receiver_;
  double speed_of_sound_;
  base::Rate rate_;
  std::int64_t taps_, lead_;
};

}  // namespace peal::radiation

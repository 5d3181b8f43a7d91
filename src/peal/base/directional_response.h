#pragma once

#include <peal/base/time.h>
#include <peal/geometry/mesh/vector.h>

#include <cstddef>
#include <span>

namespace peal::base {

/// What a receiver makes of sound by where it comes from: an ear on a head, a channel of
/// ambisonics. The receiver's output is the pressure that would be at its point, filtered by
/// filter().
class DirectionalResponse {
 public:
  virtual ~DirectionalResponse() = default;

  /// Makes what filter() needs at this rate; not while filter() runs.
  virtual void prepare(Rate) const {}

  virtual std::size_t taps(Rate rate) const = 0;
  /// Taps before the instant at which the sound passes the receiver's point: an ear on the side of
  /// the source hears before the middle of the head.
  virtual std::size_t lead(Rate rate) const = 0;
  /// The impulse response for a source at `from`, in the receiver's frame [m]; `out` has taps()
  /// values.
  virtual void filter(Rate rate, const geometry::Vec3& from, std::span<float> out) const = 0;
};

}  // namespace peal::base

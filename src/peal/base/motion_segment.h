#pragma once

#include <peal/base/motion.h>
#include <peal/base/time.h>

#include <limits>
#include <span>
#include <vector>

namespace peal::base {

/// An interval begin <= t < end [s] in which a motion does not jump.
struct MotionSegment {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();

  /// The time in the segment nearest to t: the motion is constant beyond its ends.
  double clamp(double t) const;
  /// The gain of the segment at t. A cut would click, so the sound of the old segment crossfades to
  /// that of the new one for `edge_time` after the jump. The gains of all segments add up to 1.
  double fade(double t) const;
  bool operator==(const MotionSegment&) const = default;

  static constexpr double edge_time = 0.005;  ///< [s]
};

/// The segments between jumps, ascending [s]; one endless segment if there are none.
std::vector<MotionSegment> segments_between(std::span<const double> jumps);
/// The segments between the jumps of a motion.
std::vector<MotionSegment> segments(const Motion& motion);

/// The samples of a range at which the gain of a segment is not zero, its crossfade included.
SampleRange samples_within(const MotionSegment& segment, Rate rate, SampleRange range);

/// The segments whose gain is not zero at some time from `begin` to `end` [s].
std::span<const MotionSegment> segments_within(std::span<const MotionSegment> all, double begin,
                                               double end);

}  // namespace peal::base

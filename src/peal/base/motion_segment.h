#pragma once

#include <peal/base/motion.h>
#include <peal/base/time.h>

#include <limits>
#include <span>
#include <vector>

namespace peal::base {

/// An interval in which a motion does not jump: begin <= t < end [s].
struct MotionSegment {
  double begin = -std::numeric_limits<double>::infinity();
  double end = std::numeric_limits<double>::infinity();

  /// The time in the segment nearest to t: beyond its ends the motion is clamped.
  double clamp(double t) const;
  /// The gain of the segment at time t. A cut would click, so that a jump is a crossfade from the
  /// old position to the new one over `edge_time`. The gains of all segments add up to 1.
  double fade(double t) const;
  bool operator==(const MotionSegment&) const = default;

  static constexpr double edge_time = 0.005;  ///< [s]
};

/// The segments between jumps, ascending [s]; one endless segment if there are none.
std::vector<MotionSegment> segments_between(std::span<const double> jumps);
/// The segments between the jumps of a motion.
std::vector<MotionSegment> segments(const Motion& motion);

/// The samples of a range at which a segment has a gain, its fade included.
SampleRange samples_within(const MotionSegment& segment, Rate rate, SampleRange range);

/// The segments that have a gain at some time from `begin` to `end` [s].
std::span<const MotionSegment> segments_within(std::span<const MotionSegment> all, double begin,
                                               double end);

}  // namespace peal::base

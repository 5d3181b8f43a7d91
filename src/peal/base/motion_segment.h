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

  /// The time in the segment nearest to t: beyond its ends the motion is held.
  double clamp(double t) const;
  /// A cut would click, so that what jumps is heard at its new place more and more, and at its old
  /// place less and less, for `edge_time` after the jump. The gains of all segments add up to 1.
  double fade(double t) const;
  bool operator==(const MotionSegment&) const = default;

  static constexpr double edge_time = 0.005;  ///< [s]
};

/// The segments between jumps, ascending [s]; one endless segment if there are none.
std::vector<MotionSegment> segments_between(std::span<const double> jumps);
/// Those between the jumps of a motion.
std::vector<MotionSegment> segments(const Motion& motion);

/// The samples of a range at which a segment is heard, its edge included.
SampleRange samples_within(const MotionSegment& segment, Rate rate, SampleRange range);

/// Those that are heard at some time from `begin` to `end` [s].
std::span<const MotionSegment> segments_within(std::span<const MotionSegment> all, double begin,
                                               double end);

}  // namespace peal::base

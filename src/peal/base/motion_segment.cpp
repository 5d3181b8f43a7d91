#include <peal/base/motion_segment.h>
#include <peal/util/smoothstep.h>

#include <algorithm>
#include <cmath>

namespace peal::base {

double MotionSegment::clamp(double t) const {
  if (t < begin) return begin;
  if (t >= end) return std::nextafter(end, begin);
  return t;
}

double MotionSegment::fade(double t) const {
  return util::smoothstep((t - begin) / edge_time) - util::smoothstep((t - end) / edge_time);
}

std::vector<MotionSegment> segments_between(std::span<const double> jumps) {
  std::vector<MotionSegment> result(1);
  for (const double jump : jumps) {
    result.back().end = jump;
    result.push_back({.begin = jump});
  }
  return result;
}

std::vector<MotionSegment> segments(const Motion& motion) {
  return segments_between(motion.jumps());
}

SampleRange samples_within(const MotionSegment& segment, Rate rate, SampleRange range) {
  const auto index_at = [&](double t, std::int64_t otherwise) {
    return std::isfinite(t) ? static_cast<std::int64_t>(std::ceil(rate.samples(t))) : otherwise;
  };
  return {std::max(range.begin, index_at(segment.begin, range.begin)),
          std::min(range.end, index_at(segment.end + MotionSegment::edge_time, range.end))};
}

std::span<const MotionSegment> segments_within(std::span<const MotionSegment> all, double begin,
                                               double end) {
  const auto first = std::partition_point(
      all.begin(), all.end(),
      [&](const MotionSegment& segment) { return segment.end + MotionSegment::edge_time < begin; });
  const auto last = std::partition_point(
      first, all.end(), [&](const MotionSegment& segment) { return segment.begin <= end; });
  return {first, last};
}

}  // namespace peal::base

#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_segment.h>

#include <span>
#include <vector>

namespace peal::radiation {

/// The motion segments between the jumps of any of the receivers.
std::vector<base::MotionSegment> common_segments(std::span<const base::Receiver> receivers);

/// The receivers as they move in one of these segments. Each motion continues beyond the ends of
/// the segment up to its own jumps, and rests there: after a jump it stays at the old position, and
/// before a jump at the new one.
std::vector<base::Receiver> clamped_to(const base::MotionSegment& segment,
                                       std::span<const base::Receiver> receivers);

}  // namespace peal::radiation

#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_segment.h>

#include <span>
#include <vector>

namespace peal::radiation {

/// The segments between the jumps of all receivers together.
std::vector<base::MotionSegment> common_segments(std::span<const base::Receiver> receivers);

/// The receivers as they move in one of these segments. Each goes on beyond its ends, but stays
/// where it jumps: after the segment it is where its old place would be heard, before it where its
/// new one.
std::vector<base::Receiver> clamped_to(const base::MotionSegment& segment,
                                       std::span<const base::Receiver> receivers);

}  // namespace peal::radiation

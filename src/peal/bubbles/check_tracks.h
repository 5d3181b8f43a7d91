#pragma once

#include <peal/base/bubble.h>
#include <peal/util/problems.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace peal::bubbles {

/// Where in its file each bubble is, for messages.
using TrackPlaces = std::unordered_map<std::int64_t, std::string>;

/// Checks what all tracks promise and brings them into the order of their starts: parents are
/// there, begin before their children and end when these begin (a bubble that does not say how it
/// ends but has children merges or splits); samples follow each other without gaps. Bubbles of one
/// sample ring on. Reports problems at their places.
void finish_tracks(base::BubblePopulation& population, const TrackPlaces& places,
                   util::Problems& problems);

}  // namespace peal::bubbles

#pragma once

#include <peal/base/bubble.h>
#include <peal/geometry/mesh/vector.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace peal::bubbles {

/// A population and what was assumed on reading it.
struct ReadTracks {
  base::BubblePopulation population;
  std::vector<std::string> notices;
};

/// Reads a table of bubbles, with a record for each sample of each bubble:
///
///   id,time,x,y,z,radius,event,parents
///
/// `event` of a bubble's first record is entrain (or empty), merge or split, of its last collapse
/// (or empty: it rings on); `parents` are the ids of what merged or split, separated by blanks. A
/// column `frequency` [Hz] is optional, as are `event` and `parents`. Throws InputError.
ReadTracks parse_bubble_table(std::string_view bytes, const std::string& name);

/// Reads the layout of the programs of Langlois, Zheng & James 2016 and FluidSound:
///
///   Bub <id> <radius>
///     Start: <N, M or S> <time> <ids of parents>
///     <time> <frequency> <x> <y> <z> <pressure, optional>
///     End: <M, S or C> <time> <ids of children>
ReadTracks parse_tracked_bubbles(std::string_view bytes, const std::string& name);

/// Reads either, by its first line.
ReadTracks read_tracks(const std::filesystem::path& path);

/// A bubble that only sounds: a row of an event list.
struct BubbleEvent {
  double time = 0.0;         ///< [s]
  double radius = 0.0;       ///< [m]
  double amplitude = 1.0;    ///< over that of a bubble that is pinched off
  double rise_factor = 0.0;  ///< the frequency rises by this part of the damping, f beta t
};

/// Reads `time,radius_m,amplitude,rise_factor`; the last two are optional.
std::vector<BubbleEvent> parse_bubble_events(std::string_view bytes, const std::string& name);

/// Air that a simulation of water trapped, without a size.
struct AirParticle {
  double time = 0.0;                                 ///< at which it came under water [s]
  geometry::Vec3 position = geometry::Vec3::Zero();  ///< [m]
};

/// Reads `time,x,y,z`, a row for each particle when it appears.
std::vector<AirParticle> parse_air_particles(std::string_view bytes, const std::string& name);

namespace track_limits {
/// Of all readers: a millennium, a thousand kilometres, and the range of bubbles that one hears.
inline constexpr double time = 1e6;
inline constexpr double distance = 1e6;
inline constexpr double smallest_radius = 1e-6, largest_radius = 1.0;
/// A bubble without a sample for so long is not followed: a gap [s].
inline constexpr double longest_gap = 0.1;
}  // namespace track_limits

}  // namespace peal::bubbles

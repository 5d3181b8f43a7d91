#pragma once

#include <peal/radiation/placed_surface.h>
#include <peal/radiation/receiver_track.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace peal::radiation {

/// Measures how fast the propagation paths from a surface change over ReceiverTrack::at_once hops,
/// and so how often they must be sampled.
class UpdateRate {
 public:
  /// Evaluates the hops from `begin` on; the surface is `placed` at all of them and at one beyond.
  UpdateRate(const RayScene& scene, const ReceiverTrack& track, std::int64_t begin,
             std::span<const std::shared_ptr<PlacedSurface>> placed);

  /// Hops from keyframe to keyframe, a power of 2, over which the propagation paths change so
  /// little that they may be interpolated linearly.
  std::int64_t key_length() const { return length(ways_); }
  /// Hops between updates of visibility, a power of 2, over which no sample point moves far.
  std::int64_t visibility_interval() const { return length(moves_); }

 private:
  /// Changes from each hop to the next, as fractions of the largest allowed change between
  /// keyframes.
  using Changes = std::array<double, ReceiverTrack::at_once>;
  static std::int64_t length(const Changes& changes);

  Changes ways_, moves_;
};

}  // namespace peal::radiation

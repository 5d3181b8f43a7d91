#pragma once

#include <peal/radiation/placed_surface.h>
#include <peal/radiation/receiver_track.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace peal::radiation {

/// How fast the propagation paths from a surface change over ReceiverTrack::at_once hops, and so
/// how often they are to be sampled.
class UpdateRate {
 public:
  /// From a hop on; the surface is `placed` at all of them, and one beyond.
  UpdateRate(const RayScene& scene, const ReceiverTrack& track, std::int64_t begin,
             std::span<const std::shared_ptr<PlacedSurface>> placed);

  /// Beats from key to key, a power of 2, for which the propagation paths change so little that
  /// they may be taken as straight in between.
  std::int64_t key_length() const { return length(ways_); }
  /// The same for which no sample point moves far.
  std::int64_t visibility_interval() const { return length(moves_); }

 private:
  /// From each hop to the next, of what may change from key to key.
  using Changes = std::array<double, ReceiverTrack::at_once>;
  static std::int64_t length(const Changes& changes);

  Changes ways_, moves_;
};

}  // namespace peal::radiation

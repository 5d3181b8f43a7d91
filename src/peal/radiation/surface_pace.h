#pragma once

#include <peal/radiation/placed_surface.h>
#include <peal/radiation/surface_track.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace peal::radiation {

/// How fast the ways of sound from a surface change over SurfaceTrack::at_once beats, and so how
/// often they are to be looked at.
class SurfacePace {
 public:
  /// From a beat on; the surface is `placed` at all of them, and one beyond.
  SurfacePace(const RayScene& scene, const SurfaceTrack& track, std::int64_t begin,
              std::span<const std::shared_ptr<PlacedSurface>> placed);

  /// Beats from key to key, a power of 2, for which the ways of sound change so little that they
  /// may be taken as straight in between.
  std::int64_t key_length() const { return length(ways_); }
  /// The same for which no place moves far.
  std::int64_t look_length() const { return length(moves_); }

 private:
  /// From each beat to the next, of what may change from key to key.
  using Changes = std::array<double, SurfaceTrack::at_once>;
  static std::int64_t length(const Changes& changes);

  Changes ways_, moves_;
};

}  // namespace peal::radiation

#pragma once

#include <peal/radiation/occluders.h>
#include <peal/radiation/radiating_surface.h>
#include <peal/radiation/ray_filters.h>
#include <peal/radiation/receiver_track.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace peal::radiation {

/// The propagation paths from a surface to its receivers over a short time, as filters at keyframes
/// that are crossfaded from one keyframe to the next.
///
/// Keyframes are so dense that the paths change linearly in between. Where other bodies move,
/// occlusion is sampled more often, every 2.7 ms to 0.7 ms.
///
/// If the form receives all sides of a body (`kirchhoff`), their contributions nearly cancel, and
/// hidden ones must not be omitted. Instead the level of the whole body falls with the fraction of
/// its area that is hidden (level()). If the form only receives what is visible, the triangles on
/// which a sample point appears or disappears in that time have keyframes of their own, at all
/// updates of visibility. All other triangles keep their few keyframes, as if nothing else changed.
class RayKeyframes {
 public:
  /// Keeps all references. `body` is an index in the world.
  RayKeyframes(const RayScene& scene, RadiatingSurface& surface, Occluders& occluders,
               std::size_t body);

  struct Key {
    std::int64_t hop = 0;
    std::shared_ptr<RayFilters> response;
  };
  /// The keyframes of a part of the surface, in ascending order.
  using Chain = std::vector<Key>;

  /// Computes the keyframes from hop `begin` to ReceiverTrack::at_once hops later.
  void move_to(const ReceiverTrack& track, std::int64_t begin);

  /// The chains of a receiver: unchanging and changing triangles. The sound at the receiver is the
  /// sum over both, times level().
  const std::array<Chain, 2>& chains(std::size_t receiver) const { return chains_[receiver]; }
  /// The level of a receiver at a hop, 0 to 1.
  double level(std::size_t receiver, double hop) const;

 private:
  /// The surface and its visibility at one hop.
  struct VisibilitySample {
    std::int64_t hop = 0;
    std::shared_ptr<PlacedSurface> placed;
    /// Visibility for each receiver. `seen` is used if all sides are received: the visible fraction
    /// of the area. Otherwise `is_seen` says whether each sample point is visible, padded like
    /// Coordinates.
    std::vector<double> seen;
    std::vector<std::vector<char>> is_seen;
  };
  /// The inputs from which filters are computed.
  struct Task {
    RayFilters* response;
    const PlacedSurface* placed;
    std::span<const std::uint32_t> channels;
    std::vector<char> is_audible;  ///< of each sample point, padded like Coordinates
    ReceiverGeometry receiver_geometry;
  };
  /// The triangles on which no sample point appears or disappears, as their channels
  /// (RadiatingSurface::channels_of()), and for each sample point whether it is on such a triangle
  /// and visible.
  struct Steady {
    std::vector<std::uint32_t> channels;
    std::vector<char> is_audible;
    bool operator==(const Steady&) const = default;
  };
  /// The triangles on which a sample point appears or disappears.
  struct Changing {
    std::vector<std::uint32_t> faces, channels;
  };

  /// The index of the body if it does not hide its own sample points.
  std::optional<std::size_t> own_number() const {
    return all_around_ ? std::optional(number_) : std::nullopt;
  }
  std::vector<char> all_samples() const;
  std::vector<char> visible_samples(const PlacedSurface& placed,
                                    const ReceiverGeometry& receiver_geometry) const;
  double part_of_area(const std::vector<char>& is_seen) const;
  void look(const ReceiverTrack& track, std::int64_t begin, std::int64_t length);
  const std::shared_ptr<PlacedSurface>& placed_at(std::int64_t hop) const {
    return placed_[static_cast<std::size_t>(hop - begin_)];
  }
  std::shared_ptr<const PlacedSurface> complete_at(std::int64_t hop);
  void part(std::size_t receiver, Steady& steady, Changing& changing) const;
  std::vector<char> audible_samples(const std::vector<std::uint32_t>& faces,
                                    const std::vector<char>& is_seen) const;
  void add_steady(const ReceiverTrack& track, std::int64_t length, std::size_t receiver,
                  std::vector<Task>& tasks);
  void complete_changing();
  void add_changing(const ReceiverTrack& track, std::size_t receiver, std::vector<Task>& tasks);
  std::shared_ptr<RayFilters> spare();
  std::unique_ptr<RayFilters::Work> borrowed_work();
  void release(Chain& chain);

  const RayScene& scene_;
  RadiatingSurface& surface_;
  Occluders& occluders_;
  std::size_t number_;
  bool all_around_;    ///< whether sample points behind the body itself are audible
  bool has_shadows_;   ///< whether anything can hide sample points
  bool shadows_move_;  ///< whether other bodies move
  std::vector<VisibilitySample> visibility_;
  std::vector<std::shared_ptr<PlacedSurface>> placed_;  ///< at the hops from begin_ on
  std::vector<char> is_complete_;                       ///< of each surface in `placed_`
  std::int64_t begin_ = 0;
  std::vector<Steady> steady_;      ///< of each receiver
  std::vector<Changing> changing_;  ///< of each receiver
  std::vector<std::array<Chain, 2>> chains_;
  std::vector<std::shared_ptr<const PlacedSurface>> last_;  ///< of each receiver's last keyframe
  std::vector<std::shared_ptr<RayFilters>> spare_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RayFilters::Work>> works_;  ///< not in use by any thread
};

}  // namespace peal::radiation

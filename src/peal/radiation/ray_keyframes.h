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

/// The propagation paths from a surface to its receivers over a short time: as they are at key
/// hops, to be faded from one key to the next.
///
/// Key hops are so dense that what they tell is straight in between. Where other bodies move, what
/// they hide is sampled more often, every 2.7 ms to 0.7 ms.
///
/// Where all sides of a body are heard they nearly balance, and hidden ones must not be left out:
/// the whole body is quieter by the part that is hidden (level()). Where only what is seen counts,
/// the triangles of the surface of which a sample point appears or disappears in that time have
/// keys of their own, at all these updates, and all others are followed at their few keys as if
/// nothing else changed.
class RayKeyframes {
 public:
  /// All is kept. `body` is a number in the world.
  RayKeyframes(const RayScene& scene, RadiatingSurface& surface, Occluders& occluders,
               std::size_t body);

  struct Key {
    std::int64_t hop = 0;
    std::shared_ptr<RayFilters> response;
  };
  /// Keys of a part of the surface.
  using Chain = std::vector<Key>;

  /// Takes the keys from a hop to ReceiverTrack::at_once later.
  void move_to(const ReceiverTrack& track, std::int64_t begin);

  /// What is heard by a receiver is the sum of these ...
  const std::array<Chain, 2>& chains(std::size_t receiver) const { return chains_[receiver]; }
  /// ... at this level at a time, 0 to 1.
  double level(std::size_t receiver, double hop) const;

 private:
  /// What is where at one hop.
  struct VisibilitySample {
    std::int64_t hop = 0;
    std::shared_ptr<PlacedSurface> placed;
    /// By each receiver: where all sides are heard, the part of the area that is seen; else, of
    /// each sample point in memory, whether it is.
    std::vector<double> seen;
    std::vector<std::vector<char>> is_seen;
  };
  /// What a response is made of.
  struct Task {
    RayFilters* response;
    const PlacedSurface* placed;
    std::span<const std::uint32_t> channels;
    std::vector<char> is_audible;  ///< of each sample point in memory
    ReceiverGeometry receiver_geometry;
  };
  /// Triangles of which nothing appears or disappears, by what they are heard by (channels_of()),
  /// and of all sample points whether they are on such triangles and seen.
  struct Steady {
    std::vector<std::uint32_t> channels;
    std::vector<char> is_audible;
    bool operator==(const Steady&) const = default;
  };
  /// Triangles of which something does.
  struct Changing {
    std::vector<std::uint32_t> faces, channels;
  };

  /// What does not hide its own sample points.
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
  bool all_around_;    ///< also sample points behind the body itself are heard
  bool has_shadows_;   ///< whether anything can hide sample points
  bool shadows_move_;  ///< by others
  std::vector<VisibilitySample> visibility_;
  std::vector<std::shared_ptr<PlacedSurface>> placed_;  ///< at the hops from begin_ on
  std::vector<char> is_complete_;                       ///< of these
  std::int64_t begin_ = 0;
  std::vector<Steady> steady_;      ///< of each receiver
  std::vector<Changing> changing_;  ///< of each receiver
  std::vector<std::array<Chain, 2>> chains_;
  std::vector<std::shared_ptr<const PlacedSurface>> last_;  ///< of the last key of each receiver
  std::vector<std::shared_ptr<RayFilters>> spare_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RayFilters::Work>> works_;  ///< that no thread uses
};

}  // namespace peal::radiation

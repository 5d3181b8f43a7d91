#pragma once

#include <peal/radiation/occluders.h>
#include <peal/radiation/ray_response.h>
#include <peal/radiation/sounding_surface.h>
#include <peal/radiation/surface_track.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace peal::radiation {

/// The ways of sound from a surface to its receivers over a short time: as they are at key beats,
/// to be faded from one key to the next.
///
/// Key beats are so dense that what they tell is straight in between. Where other bodies move, what
/// they hide is looked at more often, every 2.7 ms to 0.7 ms.
///
/// Where all sides of a body are heard they nearly balance, and hidden ones must not be left out:
/// the whole body is quieter by the part that is hidden (level()). Where only what is seen counts,
/// the pieces of the surface of which a place appears or disappears in that time have keys of their
/// own, at all these looks, and all others are followed at their few keys as if nothing else
/// changed.
class RayKeys {
 public:
  /// All is kept. `body` is a number in the world.
  RayKeys(const RayScene& scene, SoundingSurface& surface, Occluders& occluders, std::size_t body);

  struct Key {
    std::int64_t beat = 0;
    std::shared_ptr<RayResponse> response;
  };
  /// Keys of a part of the surface.
  using Chain = std::vector<Key>;

  /// Takes the keys from a beat to SurfaceTrack::at_once later.
  void move_to(const SurfaceTrack& track, std::int64_t begin);

  /// What is heard by a receiver is the sum of these ...
  const std::array<Chain, 2>& chains(std::size_t receiver) const { return chains_[receiver]; }
  /// ... at this level at a time, 0 to 1.
  double level(std::size_t receiver, double beat) const;

 private:
  /// What is where at one beat.
  struct Look {
    std::int64_t beat = 0;
    std::shared_ptr<PlacedSurface> placed;
    /// By each receiver: where all sides are heard, the part of the area that is seen; else, of
    /// each place in memory, whether it is.
    std::vector<double> seen;
    std::vector<std::vector<char>> is_seen;
  };
  /// What a response is made of.
  struct Task {
    RayResponse* response;
    const PlacedSurface* placed;
    std::span<const std::uint32_t> channels;
    std::vector<char> is_heard;  ///< of each place in memory
    Hearing hearing;
  };
  /// Pieces of which nothing appears or disappears, by what they are heard by (channels_of()), and
  /// of all places whether they are on such pieces and seen.
  struct Steady {
    std::vector<std::uint32_t> channels;
    std::vector<char> is_heard;
    bool operator==(const Steady&) const = default;
  };
  /// Pieces of which something does.
  struct Changing {
    std::vector<std::uint32_t> pieces, channels;
  };

  /// What does not hide its own places.
  std::optional<std::size_t> own_number() const {
    return all_around_ ? std::optional(number_) : std::nullopt;
  }
  std::vector<char> all_places() const;
  std::vector<char> seen_places(const PlacedSurface& placed, const Hearing& hearing) const;
  double part_of_area(const std::vector<char>& is_seen) const;
  void look(const SurfaceTrack& track, std::int64_t begin, std::int64_t length);
  const std::shared_ptr<PlacedSurface>& placed_at(std::int64_t beat) const {
    return placed_[static_cast<std::size_t>(beat - begin_)];
  }
  std::shared_ptr<const PlacedSurface> complete_at(std::int64_t beat);
  void part(std::size_t receiver, Steady& steady, Changing& changing) const;
  std::vector<char> heard_of(const std::vector<std::uint32_t>& pieces,
                             const std::vector<char>& is_seen) const;
  void add_steady(const SurfaceTrack& track, std::int64_t length, std::size_t receiver,
                  std::vector<Task>& tasks);
  void complete_changing();
  void add_changing(const SurfaceTrack& track, std::size_t receiver, std::vector<Task>& tasks);
  std::shared_ptr<RayResponse> spare();
  std::unique_ptr<RayResponse::Work> borrowed_work();
  void release(Chain& chain);

  const RayScene& scene_;
  SoundingSurface& surface_;
  Occluders& occluders_;
  std::size_t number_;
  bool all_around_;    ///< also places behind the body itself are heard
  bool has_shadows_;   ///< whether anything can hide places
  bool shadows_move_;  ///< by others
  std::vector<Look> looks_;
  std::vector<std::shared_ptr<PlacedSurface>> placed_;  ///< at the beats from begin_ on
  std::vector<char> is_complete_;                       ///< of these
  std::int64_t begin_ = 0;
  std::vector<Steady> steady_;      ///< of each receiver
  std::vector<Changing> changing_;  ///< of each receiver
  std::vector<std::array<Chain, 2>> chains_;
  std::vector<std::shared_ptr<const PlacedSurface>> last_;  ///< of the last key of each receiver
  std::vector<std::shared_ptr<RayResponse>> spare_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<RayResponse::Work>> works_;  ///< that no thread uses
};

}  // namespace peal::radiation

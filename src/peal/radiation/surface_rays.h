#pragma once

#include <peal/base/listener.h>
#include <peal/base/rays_settings.h>
#include <peal/radiation/occluders.h>
#include <peal/radiation/ray_response.h>
#include <peal/radiation/sounding_surface.h>
#include <peal/radiation/surface_series.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace peal::radiation {

/// The sums of ray_response.h, sample by sample, at one receiver.
using SurfaceSums = std::array<std::vector<double>, most_sums>;

/// Follows rays from the places of one body's surface to the receivers.
///
/// All places are first heard as if the middle of the surface was at the receiver: by filters from
/// what the surface does to a few sums (RayResponse), which only know how much later or earlier
/// than from the middle sound arrives from each place. They are exact at key times and fade from
/// one to the next, and so do distance, angle and visibility. Key times are so dense that delays
/// between places and middle change by less than a thirtieth of the shortest wave from one to the
/// next, but not denser than 0.7 ms; where others move, shadows are looked for every 2.7 ms. Then
/// the sums travel from the middle to the receiver, with a delay that is exact every 0.7 ms and a
/// straight line in between. Where a body or receiver jumps, the old rays fade and new ones rise.
///
/// Everything at a time depends on that time alone: not on where a stretch begins, nor on threads.
class SurfaceRays {
 public:
  /// `body` is a number in the world; all references are kept.
  SurfaceRays(const base::World& world, std::size_t body, std::span<const base::Receiver> receivers,
              Occluders& occluders, const base::RaysSettings& settings);

  /// At which the surface is heard: that of audio if its vertices tell all, otherwise so high that
  /// what is too high for audio does not fold onto it.
  base::Rate rate() const { return rate_; }
  double radius() const { return surface_.radius(); }
  std::size_t places() const { return surface_.places(); }

  /// The sums of each receiver over `heard`, at the rate; `done` is told the part of it that is
  /// finished.
  std::vector<SurfaceSums> sums(base::SampleRange heard, const std::function<void(double)>& done);

 private:
  struct Track;
  struct Key;
  struct Run;

  std::vector<base::SampleRange> sounding(base::SampleRange range) const;
  Hearing hearing(const base::Receiver& receiver, double t, const base::Vec3& middle) const;
  Track follow(std::int64_t begin, std::int64_t end) const;
  std::vector<std::int64_t> key_beats(const Track& track, std::int64_t begin) const;
  void make_keys(const Track& track, std::span<const std::int64_t> beats, std::vector<Key>& keys);
  std::vector<char> seen_places(const PlacedSurface& placed, const Hearing& hearing) const;
  std::vector<std::vector<Run>> make_runs(const Track& track) const;
  void hear(const Key& from, const Key& to, std::int64_t u, std::size_t receiver,
            const Track& track, std::vector<Run>& runs) const;
  static base::SampleRange leaving(const Track& track, base::SampleRange heard);
  void hear_between(const std::vector<Key>& keys, std::span<const base::SampleRange> sounding,
                    base::SampleRange asked, const Track& track,
                    std::vector<std::vector<Run>>& runs);
  void arrive(const Run& run, base::SampleRange heard, SurfaceSums& sums) const;

  const base::World& world_;
  std::size_t number_;
  std::span<const base::Receiver> receivers_;
  Occluders& occluders_;
  base::RaysSettings settings_;
  base::Rate rate_;
  std::int64_t beat_;  ///< samples from one look at where things are to the next
  SoundingSurface surface_;
  SurfaceSeries series_;
  std::vector<std::shared_ptr<RayResponse>> spare_;
  bool is_still_;  ///< nothing changes the rays
  bool shadows_move_;
};

}  // namespace peal::radiation

#pragma once

#include <peal/base/listener.h>
#include <peal/base/rays_settings.h>
#include <peal/radiation/occluders.h>
#include <peal/radiation/ray_keys.h>
#include <peal/radiation/sounding_surface.h>
#include <peal/radiation/surface_series.h>
#include <peal/radiation/surface_track.h>

#include <array>
#include <cstdint>
#include <functional>
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
/// one to the next (RayKeys), and so do distance, angle and visibility. Then the sums travel from
/// the middle to the receiver, with a delay that is exact every 0.7 ms and a straight line in
/// between. Where a body jumps, what leaves it along the old rays fades and along new ones rises;
/// where a receiver jumps, what arrives along them does.
///
/// Everything at a time depends on that time alone: not on where a stretch begins, nor on threads.
class SurfaceRays {
 public:
  /// `body` is a number in the world, and `sounding` that body or one mesh of its sequence; all
  /// references are kept.
  SurfaceRays(const base::World& world, std::size_t body, const base::Body& sounding,
              std::span<const base::Receiver> receivers, Occluders& occluders,
              const base::RaysSettings& settings);
  SurfaceRays(const SurfaceRays&) = delete;  // its parts refer to each other

  /// At which a record is to tell of vertices, if all that is lower than `max_frequency` is to be
  /// heard and looks at where things are shall not be too rare [Hz].
  static double least_rate(double max_frequency);
  /// At which a surface is heard: that of its vertices if they tell all, otherwise so high that
  /// what is too high for audio does not fold onto it.
  static base::Rate rate_for(const base::World& world, const base::Body& body,
                             double max_frequency);
  /// Samples from one look at where things are to the next.
  static std::int64_t beat_for(base::Rate rate);

  base::Rate rate() const { return scene_.rate; }
  double radius() const { return surface_.radius(); }
  std::size_t places() const { return surface_.places(); }

  using Done = std::function<void(double)>;
  /// The sums of each receiver over `heard`, at the rate; `done` is told the part of it that is
  /// finished.
  std::vector<SurfaceSums> sums(base::SampleRange heard, const Done& done);

 private:
  struct Run;
  using Levels = std::array<double, RayResponse::block>;  ///< of instants

  std::size_t sums() const { return static_cast<std::size_t>(sums_of(scene_.settings.form)); }
  std::vector<base::SampleRange> sounding(base::SampleRange range) const;
  std::vector<std::vector<Run>> make_runs(const SurfaceTrack& track) const;
  void hear(const RayKeys& keys, std::int64_t u, std::size_t receiver, const SurfaceTrack& track,
            std::vector<Run>& runs) const;
  void hear_chain(const RayKeys::Chain& chain, std::int64_t u, const Levels& levels,
                  std::size_t receiver, const SurfaceTrack& track, std::vector<Run>& runs) const;
  void hear_between(const RayKeys::Key& from, const RayKeys::Key& to, base::SampleRange block,
                    const Levels& levels, std::size_t receiver, const SurfaceTrack& track,
                    std::vector<Run>& runs) const;
  std::vector<SurfaceSums> silence(std::int64_t samples) const;
  base::SampleRange leaving(const SurfaceTrack& track, base::SampleRange heard) const;
  void hear_all(base::SampleRange stretch, std::span<const base::SampleRange> sounding,
                base::SampleRange asked, const SurfaceTrack& track, const RayKeys& keys,
                std::vector<std::vector<Run>>& runs);
  void arrive(const Run& run, base::SampleRange heard, SurfaceSums& sums) const;
  std::vector<SurfaceSums> piece_sums(base::SampleRange heard, double size, const Done& done);

  std::span<const base::Receiver> receivers_;
  std::vector<base::Receiver> held_;  ///< while they do not jump
  std::size_t body_;
  Occluders& occluders_;
  RayScene scene_;
  SoundingSurface surface_;
  SurfaceSeries series_;
};

}  // namespace peal::radiation

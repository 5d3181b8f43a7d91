#pragma once

#include <peal/base/listener.h>
#include <peal/base/rays_settings.h>
#include <peal/radiation/occluders.h>
#include <peal/radiation/radiating_surface.h>
#include <peal/radiation/ray_keyframes.h>
#include <peal/radiation/receiver_track.h>
#include <peal/radiation/surface_signals.h>

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace peal::radiation {

/// The sums of ray_filters.h, sample by sample, at one receiver.
using SurfaceSums = std::array<std::vector<double>, most_sums>;

/// Follows rays from the sample points of one body's surface to the receivers.
///
/// All sample points are first heard as if the middle of the surface was at the receiver: by
/// filters from what the surface does to a few sums (RayFilters), which only know how much later or
/// earlier than from the middle sound arrives from each sample point. They are exact at key times
/// and fade from one to the next (RayKeyframes), and so do distance, angle and visibility. Then the
/// sums travel from the middle to the receiver, with a delay that is exact every 0.7 ms and a
/// straight line in between. Where a body jumps, what leaves it along the old rays fades and along
/// new ones rises; where a receiver jumps, what arrives along them does.
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

  /// At which a record is to report vertices, if all that is lower than `max_frequency` is to be
  /// heard and updates of positions shall not be too rare [Hz].
  static double least_rate(double max_frequency);
  /// At which a surface is heard: that of its vertices if they tell all, otherwise so high that
  /// what is too high for audio does not fold onto it.
  static base::Rate rate_for(const base::World& world, const base::Body& body,
                             double max_frequency);
  /// Samples from one update of positions to the next.
  static std::int64_t hop_for(base::Rate rate);

  base::Rate rate() const { return scene_.rate; }
  double radius() const { return surface_.radius(); }
  std::size_t sample_points() const { return surface_.sample_points(); }

  using Done = std::function<void(double)>;
  /// The sums of each receiver over `heard`, at the rate; `done` is told the part of it that is
  /// finished.
  std::vector<SurfaceSums> sums(base::SampleRange received, const Done& done);

 private:
  struct Run;
  using Levels = std::array<double, RayFilters::block>;  ///< of instants

  std::size_t sums() const { return static_cast<std::size_t>(sums_of(scene_.settings.form)); }
  std::vector<base::SampleRange> sounding(base::SampleRange range) const;
  std::vector<std::vector<Run>> make_runs(const ReceiverTrack& track) const;
  void apply_filters(const RayKeyframes& keys, std::int64_t u, std::size_t receiver,
                     const ReceiverTrack& track, std::vector<Run>& runs) const;
  void filter_chain(const RayKeyframes::Chain& chain, std::int64_t u, const Levels& levels,
                    std::size_t receiver, const ReceiverTrack& track, std::vector<Run>& runs) const;
  void crossfade(const RayKeyframes::Key& from, const RayKeyframes::Key& to,
                 base::SampleRange block, const Levels& levels, std::size_t receiver,
                 const ReceiverTrack& track, std::vector<Run>& runs) const;
  std::vector<SurfaceSums> silence(std::int64_t samples) const;
  base::SampleRange leaving(const ReceiverTrack& track, base::SampleRange received) const;
  void filter_all(base::SampleRange stretch, std::span<const base::SampleRange> sounding,
                  base::SampleRange asked, const ReceiverTrack& track, const RayKeyframes& keys,
                  std::vector<std::vector<Run>>& runs);
  void arrive(const Run& run, base::SampleRange received, SurfaceSums& sums) const;
  std::vector<SurfaceSums> segment_sums(base::SampleRange received, double size, const Done& done);

  std::span<const base::Receiver> receivers_;
  std::vector<base::Receiver> clamped_;  ///< while they do not jump
  std::size_t body_;
  Occluders& occluders_;
  RayScene scene_;
  RadiatingSurface surface_;
  SurfaceSignals series_;
};

}  // namespace peal::radiation

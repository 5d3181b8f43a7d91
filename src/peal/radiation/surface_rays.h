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

/// The sums of ray_filters.h at one receiver, as signals.
using SurfaceSums = std::array<std::vector<double>, most_sums>;

/// Renders the surface of one body to the receivers along rays from its sample points.
///
/// First, the sound of all sample points is computed as if the middle of the surface were at the
/// receiver. Filters (RayFilters) turn the signals of the surface into a few sums; they contain
/// only how much later or earlier the sound of each sample point arrives than that of the middle.
/// The filters are exact at keyframes and crossfaded in between (RayKeyframes), and so are
/// distance, angle and visibility. Then the sums travel from the middle to the receiver, with a
/// delay that is exact every 0.7 ms and linear in between. Where a body jumps, the sound that
/// leaves along the old rays fades out while that along the new rays fades in; where a receiver
/// jumps, the same applies to the sound that arrives.
///
/// The result at a time depends on that time alone, not on the range that is rendered or on
/// threads.
class SurfaceRays {
 public:
  /// `body` is an index in the world, and `sounding` is that body or one mesh of its sequence.
  /// References to all arguments are kept.
  SurfaceRays(const base::World& world, std::size_t body, const base::Body& sounding,
              std::span<const base::Receiver> receivers, Occluders& occluders,
              const base::RaysSettings& settings);
  SurfaceRays(const SurfaceRays&) = delete;  // its parts refer to each other

  /// The lowest rate at which a recording must give vertices so that everything below
  /// `max_frequency` is rendered and positions are updated often enough [Hz].
  static double least_rate(double max_frequency);
  /// The rate at which a surface is rendered: that of its vertices if these give all its sound;
  /// otherwise a rate so high that content above the audio band does not alias into it.
  static base::Rate rate_for(const base::World& world, const base::Body& body,
                             double max_frequency);
  /// Samples from one update of positions to the next at a sample rate.
  static std::int64_t hop_for(base::Rate rate);

  base::Rate rate() const { return scene_.rate; }
  double radius() const { return surface_.radius(); }
  std::size_t sample_points() const { return surface_.sample_points(); }

  using Done = std::function<void(double)>;
  /// The sums of each receiver over `received`, at rate(); `done` is called with the fraction that
  /// is finished.
  std::vector<SurfaceSums> sums(base::SampleRange received, const Done& done);

 private:
  struct Run;
  using Levels = std::array<double, RayFilters::block>;  ///< of each sample of a block

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
  std::vector<base::Receiver> clamped_;  ///< to one segment between jumps
  std::size_t body_;
  Occluders& occluders_;
  RayScene scene_;
  RadiatingSurface surface_;
  SurfaceSignals series_;
};

}  // namespace peal::radiation

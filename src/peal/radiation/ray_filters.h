#pragma once

#include <peal/base/rays_settings.h>
#include <peal/base/time.h>
#include <peal/radiation/radiating_surface.h>
#include <peal/radiation/sinc_delay.h>
#include <peal/radiation/surface_signals.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace peal::radiation {

/// The largest number of sums over the sample points of a surface from which its pressure is
/// computed. `kirchhoff` has three, to be filtered by x^2, x and 1 over 2 + 2 x + x^2 (rays.h); the
/// other forms have one. With area A, distance R, cos of the angle between normal and ray, D = 1 -
/// Mach number towards the receiver, g = A a_n / (R D^2), l of added_mass_lengths() and the radius
/// a of the body, the three are the sums of
///
///     g (1 + cos),   g (2 + cos (a / R + 2 l / a)),   g (2 + 2 cos l / R)
///
/// The filters, the last two counted twice, add up to 1, so the monopole remains unfiltered.
constexpr int most_sums = 3;
inline int sums_of(base::RaysSettings::Form form) {
  return form == base::RaysSettings::Form::kirchhoff ? most_sums : 1;
}

/// The geometry and settings with which a surface is received at one receiver.
struct ReceiverGeometry {
  base::Vec3 receiver_point;  ///< position when sound that leaves now arrives [m]
  double delay = 0.0;         ///< of sound from the middle of the surface [samples]
  base::Rate rate;
  double speed_of_sound = 0.0;  ///< [m/s]
  base::RaysSettings::Form form = base::RaysSettings::Form::kirchhoff;
  const SincDelay* between = nullptr;  ///< interpolates the signals of the surface
};

/// The propagation paths from a surface at one position to one receiver, as filters: one filter for
/// each channel of the surface, whose output is added to each of the sums above with its own
/// weight. The result at index u is the sound that arrives `delay` later: each sample point
/// contributes with the difference between its own delay and that one.
///
/// In the filter of a patch (surface_patches.h), each sample point around it has its own delay,
/// distance and visibility. The factors that differ between the sums (angle, added mass) have one
/// value per patch, the mean over its sample points.
class RayFilters {
 public:
  /// Samples that are computed together (or half as many), so that their sums stay in registers.
  static constexpr std::size_t block = 32;
  /// The sums of a block, one sum after the other.
  using Sums = std::array<std::array<double, block>, most_sums>;

  /// Memory of the filters for each sample point; 0 with patches, whose filters are shared [bytes].
  static std::size_t memory(bool has_patches);
  /// Working memory for each sample point while the filters are computed [bytes].
  static std::size_t work_memory() {
    return sizeof(std::int32_t) + sizeof(Spread) + sizeof(SincDelay::Weights);
  }

  class Work;
  /// Computes the filters of these channels (patches or sample points) from the rays of the audible
  /// sample points. `is_audible` holds 1 or 0 for each sample point, padded like Coordinates. The
  /// previous contents of `work` do not matter.
  void take(const RadiatingSurface& surface, const PlacedSurface& placed,
            std::span<const std::uint32_t> channels, std::span<const char> is_audible,
            const ReceiverGeometry& receiver_geometry, Work& work);

  /// The samples of the surface signals that are needed for the sums at index u: from u + first()
  /// to u + last().
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }

  /// Computes the sums at `count` samples from u on, a block or half a block.
  void make(const SurfaceSignals& series, std::int64_t u, std::size_t count, Sums& sums) const;
  /// Computes the sums during a crossfade to `next`, which has the same channels: the weight of
  /// `next` rises from `begin` by `step` per sample, and that of these filters falls by as much.
  void make_fading(const RayFilters& next, double begin, double step, const SurfaceSignals& series,
                   std::int64_t u, std::size_t count, Sums& sums) const;

 private:
  /// Factors of the ray from a sample point: A / (R D^2) [m], followed by its products with the
  /// weights of the sums.
  using Spread = std::array<float, 1 + most_sums>;
  /// The filter of a channel.
  struct Row {
    std::size_t channel = 0;
    std::int32_t first = 0;                 ///< index of the first tap, relative to u
    std::uint32_t taps = 0;                 ///< 0 if the channel is inaudible
    std::array<float, most_sums> weight{};  ///< in each sum
    std::int32_t end() const { return first + static_cast<std::int32_t>(taps); }
  };
  /// Number of zeros before the taps of a row; at least as many follow them. A crossfade may read
  /// them where the other filter has more taps.
  static constexpr std::int32_t margin = 4;

  float* taps_of(std::size_t row) { return &taps_[row * width_ + margin]; }
  const float* taps_of(std::size_t row) const { return &taps_[row * width_ + margin]; }
  void clear_taps(std::size_t longest);
  void take_samples(std::span<const std::uint32_t> channels, const Work& work);
  void take_patches(const RadiatingSurface& surface, const PlacedSurface& placed,
                    std::span<const std::uint32_t> channels, const Work& work);
  void measure(std::span<const RadiatingSurface::PatchSample> patch_samples, const Work& work,
               Row& row) const;
  void fill(std::span<const RadiatingSurface::PatchSample> patch_samples, const float* cosines,
            const Work& work, Row& row, float* taps) const;
  template <int sums, std::size_t vectors>
  void make_some(const SurfaceSignals& series, std::int64_t u, Sums& out) const;
  template <int sums, std::size_t vectors>
  void fade_some(const RayFilters& next, std::span<const float> rise, const SurfaceSignals& series,
                 std::int64_t u, Sums& out) const;

  int sums_ = 0;
  const SincDelay* delay_ = nullptr;
  std::int64_t first_ = 0, last_ = 0;
  std::vector<Row> rows_;
  std::size_t width_ = 0;  ///< length of a row of `taps_`, with its zeros
  std::vector<float> taps_;
};

/// Working memory for computing filters, reused from one computation to the next.
class RayFilters::Work {
 private:
  friend class RayFilters;
  void follow(const RadiatingSurface& surface, const PlacedSurface& placed, std::size_t first,
              std::span<const char> is_audible, const ReceiverGeometry& receiver_geometry);
  /// The weights of a sample point, with as many zeros before them as behind them.
  float* window(std::size_t sample_point) { return windows_[sample_point + 1].data(); }
  const float* window(std::size_t sample_point) const { return windows_[sample_point + 1].data(); }

  /// The value of `firsts_` for an inaudible sample point.
  static constexpr std::int32_t inaudible = std::numeric_limits<std::int32_t>::max();

  /// Indices of the first weight of each sample point, relative to u; padded like Coordinates.
  std::vector<std::int32_t> firsts_;
  std::vector<Spread> spreads_;              ///< of each sample point
  std::vector<SincDelay::Weights> windows_;  ///< zeros, then the weights of each sample point
};

}  // namespace peal::radiation

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

/// Sums over the sample points of a surface that its pressure is made of. Of `kirchhoff` there are
/// three, to be filtered by x^2, x and 1 over 2 + 2 x + x^2 (rays.h), of the other forms one. With
/// area A, distance R, cos of the angle between normal and ray, D = 1 - Mach number towards the
/// receiver, g = A a_n / (R D^2), l of added_mass_lengths() and a the radius of the body, they are
/// those of
///
///     g (1 + cos),   g (2 + cos (a / R + 2 l / a)),   g (2 + 2 cos l / R)
///
/// as 1, in which the monopole goes unfiltered, is the sum of the filters, the last two twice.
constexpr int most_sums = 3;
inline int sums_of(base::RaysSettings::Form form) {
  return form == base::RaysSettings::Form::kirchhoff ? most_sums : 1;
}

/// Whence a surface is heard, and how.
struct ReceiverGeometry {
  base::Vec3 receiver_point;  ///< when what leaves now arrives [m]
  double delay = 0.0;  ///< until it arrives, of sound from the middle of the surface [samples]
  base::Rate rate;
  double speed_of_sound = 0.0;  ///< [m/s]
  base::RaysSettings::Form form = base::RaysSettings::Form::kirchhoff;
  const SincDelay* between = nullptr;  ///< how samples of the surface are read between
};

/// The propagation path from a surface that rests in one position to a receiver: a filter from each
/// series of the surface, whose result goes to each of the sums above with a weight of its own.
/// What is heard at instant u is what arrives `delay` later: all sample points act with the
/// differences of their delays from that one.
///
/// In a filter of a patch (surface_patches.h) all sample points around it have their own delay,
/// distance and visibility, but of what the sums weight differently (angle, air on the sample
/// point) there is one value, the mean over them.
class RayFilters {
 public:
  /// Instants that are made at a time, or half as many: their sums stay in registers.
  static constexpr std::size_t block = 32;
  /// Sums of a block, one after the other.
  using Sums = std::array<std::array<double, block>, most_sums>;

  /// For each sample point, by itself or with others of its patch [bytes].
  static std::size_t memory(bool has_patches);
  /// For each sample point, while it is taken [bytes].
  static std::size_t work_memory() {
    return sizeof(std::int32_t) + sizeof(Spread) + sizeof(SincDelay::Weights);
  }

  class Work;
  /// Follows the rays from those sample points that are heard, by 1 or 0 of as many sample points
  /// as are in memory, to filters of these channels, patches or sample points. What was in `work`
  /// does not matter.
  void take(const RadiatingSurface& surface, const PlacedSurface& placed,
            std::span<const std::uint32_t> channels, std::span<const char> is_audible,
            const ReceiverGeometry& receiver_geometry, Work& work);

  /// Instants of the series that are needed for one: from u + first on, to u + last.
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }

  /// The sums at `count` instants from u on, a block or half of it.
  void make(const SurfaceSignals& series, std::int64_t u, std::size_t count, Sums& sums) const;
  /// The same if `next`, of the same channels, rises meanwhile from `begin` on by `step` an
  /// instant, and this one falls by as much.
  void make_fading(const RayFilters& next, double begin, double step, const SurfaceSignals& series,
                   std::int64_t u, std::size_t count, Sums& sums) const;

 private:
  /// Of the way from a sample point: A / (R D^2) [m], and the same times what the sums weight it
  /// with.
  using Spread = std::array<float, 1 + most_sums>;
  /// The filter of a channel.
  struct Row {
    std::size_t channel = 0;
    std::int32_t first = 0;                 ///< sample that it begins at, from u on
    std::uint32_t taps = 0;                 ///< none: nothing is heard of it
    std::array<float, most_sums> weight{};  ///< to each sum
    std::int32_t end() const { return first + static_cast<std::int32_t>(taps); }
  };
  /// Zeros before the taps of a row, and at least as many behind them: what another filter has more
  /// may be read along.
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
  std::size_t width_ = 0;  ///< of taps in memory
  std::vector<float> taps_;
};

/// Memory that a response needs only while it is taken, to be used again by the next one.
class RayFilters::Work {
 private:
  friend class RayFilters;
  void follow(const RadiatingSurface& surface, const PlacedSurface& placed, std::size_t first,
              std::span<const char> is_audible, const ReceiverGeometry& receiver_geometry);
  /// The weights of a sample point. Before them are as many zeros as behind them.
  float* window(std::size_t sample_point) { return windows_[sample_point + 1].data(); }
  const float* window(std::size_t sample_point) const { return windows_[sample_point + 1].data(); }

  /// A sample that no weights begin at.
  static constexpr std::int32_t inaudible = std::numeric_limits<std::int32_t>::max();

  /// Of the sample points, as many as in memory: samples that their weights begin at, from u on.
  std::vector<std::int32_t> firsts_;
  std::vector<Spread> spreads_;              ///< of the same
  std::vector<SincDelay::Weights> windows_;  ///< zeros, and then those of the same
};

}  // namespace peal::radiation

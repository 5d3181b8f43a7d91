#pragma once

#include <peal/base/rays_settings.h>
#include <peal/base/time.h>
#include <peal/radiation/short_delay.h>
#include <peal/radiation/sounding_surface.h>
#include <peal/radiation/surface_series.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace peal::radiation {

/// Sums over the places of a surface that its pressure is made of. Of `kirchhoff` there are three,
/// to be filtered by x^2, x and 1 over 2 + 2 x + x^2 (rays.h), of the other forms one. With area A,
/// distance R, cos of the angle between normal and ray, D = 1 - Mach number towards the receiver,
/// g = A a_n / (R D^2), l of air_lengths() and a the radius of the body, they are those of
///
///     g (1 + cos),   g (2 + cos (a / R + 2 l / a)),   g (2 + 2 cos l / R)
///
/// as 1, in which the monopole goes unfiltered, is the sum of the filters, the last two twice.
constexpr int most_sums = 3;
inline int sums_of(base::RaysSettings::Form form) {
  return form == base::RaysSettings::Form::kirchhoff ? most_sums : 1;
}

/// Whence a surface is heard, and how.
struct Hearing {
  base::Vec3 ear;      ///< when what leaves now arrives [m]
  double delay = 0.0;  ///< until it arrives, of sound from the middle of the surface [samples]
  base::Rate rate;
  double speed_of_sound = 0.0;  ///< [m/s]
  base::RaysSettings::Form form = base::RaysSettings::Form::kirchhoff;
};

/// The way of sound from a surface that rests in one position to a receiver: filters from the
/// series of the surface to the sums above. What is heard at instant u is what arrives `delay`
/// later: all places act with the differences of their delays from that one.
class RayResponse {
 public:
  /// Instants that are made at a time: their sums stay in registers.
  static constexpr std::size_t block = 32;
  /// Sums of a block, one after the other.
  using Sums = std::array<std::array<double, block>, most_sums>;

  /// Follows the rays. `is_seen` tells of each place whether it is heard at all.
  void take(const SoundingSurface& surface, const PlacedSurface& placed, bool is_of_vertices,
            std::span<const char> is_seen, const Hearing& hearing);

  /// Instants of the series that are needed for one: from u + first on, to u + last.
  std::int64_t first() const { return first_; }
  std::int64_t last() const { return last_; }

  /// The sums at a block of instants from u on.
  void make(const SurfaceSeries& series, std::int64_t u, Sums& sums) const;

 private:
  /// The way from one place.
  struct Ray {
    std::int32_t first = 0;  ///< sample that its weights begin at, from u on
    float fraction = 0.0f;
    std::array<float, most_sums> gain{};
  };
  /// The filter of a channel: taps of each sum, one sum after the other; or of a place, its taps.
  struct Row {
    std::int32_t first = 0;
    std::uint32_t taps = 0;  ///< of each; none: nothing is heard of it
  };

  Ray ray(const SoundingSurface& surface, const PlacedSurface& placed, std::size_t place,
          const Hearing& hearing) const;
  void take_places();
  void take_vertices(const SoundingSurface& surface, const PlacedSurface& placed);
  void lay_out_rows(const SoundingSurface& surface);
  void add_triangle(const SoundingSurface& surface, const PlacedSurface& placed, std::size_t begin,
                    std::size_t end, std::vector<float>& own);
  template <int sums>
  void make_of_vertices(const SurfaceSeries& series, std::int64_t u, Sums& out) const;
  template <int sums>
  void make_of_places(const SurfaceSeries& series, std::int64_t u, Sums& out) const;

  bool is_of_vertices_ = false;
  int sums_ = 0;
  std::vector<Ray> rays_;  ///< of the places
  std::int64_t first_ = 0, last_ = 0;
  std::vector<Row> rows_;  ///< of each channel
  std::size_t width_ = 0;  ///< of taps in memory
  std::vector<float> taps_;
  std::vector<std::array<float, most_sums>> gains_;  ///< of places
};

}  // namespace peal::radiation

#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_segment.h>
#include <peal/base/world.h>
#include <peal/util/fractional_delay.h>

#include <span>
#include <vector>

namespace peal::radiation {

using base::MotionSegment;

/// A point source with the sound that is heard in a range, ready to be read at any emission time.
struct PreparedSource {
  const base::PointSource* source;
  std::vector<MotionSegment> segments;  ///< between its jumps
  double longest_delay;                 ///< to any receiver at any time [s]
  util::DelayLine strength;             ///< s = q' / (4 pi) [Pa m]
  util::DelayLine flow;                 ///< S = q / (4 pi), the integral of s [Pa m s]

  /// Samples outside which a band-limited reader finds only zeros.
  std::int64_t first_heard() const { return strength.begin() - reach; }
  std::int64_t last_heard() const { return strength.end() + reach; }

  /// Half of the widest kernel: a source at Mach 0.95 is compressed 20 times.
  static constexpr std::int64_t reach = 24 * util::FractionalDelay::half;
};

/// From a point to any receiver at any time [s]. Looks at all sample points a hundred times a
/// second and allows for what lies in between.
double longest_delay(const base::World& world, const base::Motion& motion, const base::Vec3& offset,
                     std::span<const base::Receiver> receivers);

/// Asks each source for the sound that can be heard in `range`.
std::vector<PreparedSource> prepare(const base::World& world,
                                    std::span<const base::PointSource> sources,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range);

/// Integral of a sampled signal: fourth order, with a leak of 1 Hz so that a recording with a
/// constant offset does not add up to an ever growing flow. The leak errs by 1/f: 1e-2 at 100 Hz in
/// a term that is itself v / (2 pi f R) of the pressure.
std::vector<float> integrate(std::span<const float> samples, base::Rate rate);

}  // namespace peal::radiation

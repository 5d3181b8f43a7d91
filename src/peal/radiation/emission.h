#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_segment.h>
#include <peal/base/world.h>
#include <peal/util/fractional_delay.h>

#include <optional>
#include <span>
#include <vector>

namespace peal::radiation {

using base::MotionSegment;

/// A point source with the part of its signal that arrives in a range, which can be read at any
/// emission time.
struct PreparedSource {
  const base::PointSource* source;
  std::vector<MotionSegment> segments;  ///< between the jumps of the source
  double longest_delay;                 ///< from the source to any receiver, at any time [s]
  util::DelayLine strength;             ///< s = q' / (4 pi) [Pa m]
  /// S = q / (4 pi), the integral of s [Pa m s]; absent if the source is still, as only motion
  /// makes it heard.
  std::optional<util::DelayLine> flow;

  /// The samples outside which a band-limited reader finds only zeros.
  std::int64_t first_heard() const { return strength.begin() - reach; }
  std::int64_t last_heard() const { return strength.end() + reach; }

  /// Half the width of the widest kernel: a source at Mach 0.95 is compressed 20 times.
  static constexpr std::int64_t reach = 24 * util::FractionalDelay::half;
};

/// The longest delay from a point of a moving body to any receiver, at any time [s]. It is
/// evaluated a hundred times a second, with an allowance for what happens in between.
double longest_delay(const base::World& world, const base::Motion& motion, const base::Vec3& offset,
                     std::span<const base::Receiver> receivers);

/// Evaluates each source over the time whose sound can arrive in `range`.
std::vector<PreparedSource> prepare(const base::World& world,
                                    std::span<const base::PointSource> sources,
                                    std::span<const base::Receiver> receivers,
                                    base::SampleRange range);

/// The integral of a sampled signal, of fourth order, with a leak of 1 Hz so that a recording with
/// a constant offset does not add up to an ever growing flow. The relative error of the leak is
/// 1/f: 1e-2 at 100 Hz, in a term that is itself v / (2 pi f R) of the pressure.
std::vector<float> integrate(std::span<const float> samples, base::Rate rate);

}  // namespace peal::radiation

#pragma once

#include <peal/base/listener.h>
#include <peal/base/world.h>

#include <limits>
#include <string>
#include <vector>

namespace peal::base {

/// The closest approach of a source to a receiver, and the range of its Doppler shift.
struct Approach {
  double distance = std::numeric_limits<double>::infinity();  ///< [m]
  double time = 0.0;                                          ///< [s]
  double highest_ratio = 1.0;  ///< frequency received over frequency emitted
  double lowest_ratio = 1.0;
};

/// The approach of several points of one source: the nearest of all, and all Doppler shifts.
Approach joined(const Approach& a, const Approach& b);

/// A coarse survey (1 kHz) of all motions before a render: it finds motions that cannot be rendered
/// and predicts Doppler shifts.
class MotionSurvey {
 public:
  explicit MotionSurvey(const World& world) : world_(world) {}

  /// Every millisecond of the scene and every kink of a motion, ascending [s]. Between two of these
  /// times no animation is faster than its mean speed there.
  std::vector<double> times(const Motion& motion) const;

  /// Throws InputError if a point moves faster than `largest_mach`.
  void check_speed(const std::string& name, const Motion& motion, const Vec3& offset) const;

  Approach approach(const Motion& source, const Vec3& source_offset,
                    const Receiver& receiver) const;

  /// The rest of a sentence for the manifest that begins with "is".
  std::string describe(const Approach& nearest, const Receiver& receiver) const;

 private:
  std::int64_t steps() const;

  const World& world_;
};

/// Whether a motion jumps after `begin` and up to `end` [s].
bool jumps_between(const Motion& motion, double begin, double end);

/// Throws InputError if `speed` [m/s] reaches `largest_mach`.
void refuse_supersonic(const std::string& name, double speed, double t, const World& world);

}  // namespace peal::base

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
  double highest_ratio = 1.0;  ///< received frequency over emitted frequency
  double lowest_ratio = 1.0;
};

/// A coarse sampling (1 kHz) of all motions before a render, to find speeds that cannot be rendered
/// and to report distances and Doppler shifts.
class MotionSurvey {
 public:
  explicit MotionSurvey(const World& world) : world_(world) {}

  /// Every millisecond of the scene and every kink of a motion, ascending [s]: between two of them
  /// nothing in an animation is faster than its mean.
  std::vector<double> times(const Motion& motion) const;

  /// Throws InputError if a point is too fast for sound to run ahead of it.
  void check_speed(const std::string& name, const Motion& motion, const Vec3& offset) const;

  Approach approach(const Motion& source, const Vec3& source_offset,
                    const Receiver& receiver) const;

  /// The rest of a sentence for the manifest, after "is".
  std::string describe(const Approach& nearest, const Receiver& receiver) const;

 private:
  std::int64_t steps() const;

  const World& world_;
};

/// Whether a motion jumps after `begin` and up to `end` [s].
bool jumps_between(const Motion& motion, double begin, double end);

/// Throws InputError if something moves too fast for its sound to run ahead of it.
void refuse_supersonic(const std::string& name, double speed, double t, const World& world);

}  // namespace peal::base

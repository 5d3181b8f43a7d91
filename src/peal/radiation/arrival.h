#pragma once

#include <peal/base/listener.h>
#include <peal/base/motion_segment.h>
#include <peal/base/world.h>

namespace peal::radiation {

using base::MotionSegment;
using base::Vec3;

/// The sound that arrives at a receiver at one time: pressure = strength_gain s(te) + flow_gain
/// S(te).
struct Arrival {
  double index = 0.0;          ///< emission time te, in samples
  double strength_gain = 0.0;  ///< 1 / (R D^2) [1/m]
  double flow_gain = 0.0;      ///< c (Mr - M^2) / (R^2 D^3) [1/(m s)]
};

/// Solves te + |x_r(t) - x_s(te)| / c = t for one source and one receiver between their jumps, and
/// evaluates the gains of the moving monopole (direct.h) at te.
///
/// The level of a moving source depends on its velocity, and a path that is straight between
/// animation frames must not make the level jump at every frame. Around a kink of the path the
/// velocity is therefore the mean over +-5 ms, or over half the distance in time to the next kink
/// if that is less. The phase follows the path exactly.
class ArrivalSolver {
 public:
  ArrivalSolver(const base::World& world, const base::PointSource& source,
                const MotionSegment& emitted, const base::Receiver& receiver,
                const MotionSegment& received);

  /// The arrival at sample n. The left side above grows with te for any subsonic source, so the
  /// root is unique. Newton's iteration finds it to 1e-9 samples; bisection takes over where
  /// Newton's iteration does not converge.
  Arrival at(std::int64_t n, double guess) const;

  /// An initial guess for at() [samples].
  double rough_index(std::int64_t n) const;

 private:
  double lateness(double emitted, double t, const Vec3& receiver_point) const;
  double bisect(double t, const Vec3& receiver_point) const;
  Arrival arrival(double emitted, double t, const Vec3& receiver_point, const Vec3& velocity) const;
  Vec3 mean_velocity(double t, double window) const;
  Vec3 source_position(double t) const;
  Vec3 source_velocity(double t) const;
  Vec3 receiver_position(double t) const;

  const base::World& world_;
  const base::PointSource& source_;
  const base::Receiver& receiver_;
  MotionSegment emitted_, received_;
  bool source_is_still_;
  double inverse_c_;  ///< [s/m]
};

}  // namespace peal::radiation

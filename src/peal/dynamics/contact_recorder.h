#pragma once

#include <peal/base/contact.h>
#include <peal/dynamics/rest_recorder.h>
#include <peal/dynamics/rigid_bodies.h>
#include <peal/dynamics/sleep_tracker.h>
#include <peal/util/archive.h>

#include <cstddef>

namespace peal::dynamics {

/// Writes the contact log. Contacts at rest are no records of it, but one entry of its `rests` from
/// beginning to end; their impulses are summed, and also counted per body, for the time when the
/// body sleeps.
class ContactRecorder {
 public:
  /// Both arguments must outlive it.
  ContactRecorder(const RigidBodies& bodies, SleepTracker& sleep, double step);
  ContactRecorder(const ContactRecorder&) = delete;
  ContactRecorder& operator=(const ContactRecorder&) = delete;

  const base::ContactLog& log() const { return log_; }
  double rest_impulse() const { return rest_impulse_; }  ///< sum over contacts at rest [N s]

  /// Adds a contact at time `t` [s] with an impulse [N s] and the velocity of a relative to b
  /// [m/s]. `duration` is 0 for an impact [s]; the contact point moves over the surface with
  /// `rolling` [m/s].
  void add(double t, const ContactPoint& contact_point, const Vec3& impulse, const Vec3& velocity,
           double duration = 0.0, double rolling = 0.0);
  /// Adds an impact at time `t` [s] whose force is known: its impulse is that of the force.
  void add(double t, const ContactPoint& contact_point, const Vec3& velocity,
           base::ForceHistory force);
  /// Adds a contact at rest for a part of a step that begins at `t` [s] and lasts `duration` [s].
  void add_rest(double t, double duration, const ContactPoint& contact_point,
                const Vec3& impulse);  ///< [N s]
  /// Adds an impulse of an instant that a contact at rest has passed on [N s].
  void add_rest(const ContactPoint& contact_point, double impulse);
  void add_rest(double impulse) { rest_impulse_ += impulse; }  ///< of a body that sleeps [N s]

  /// Begins a step. Islands make their records one after another; end_step() sorts them by time.
  void begin_step() { first_ = log_.records.size(); }
  /// `end`: of the step [s].
  void end_step(double end);

  void serialize(util::Archive& archive);

 private:
  const RigidBodies& bodies_;
  SleepTracker& sleep_;
  base::ContactLog log_;
  RestRecorder rests_;
  double rest_impulse_ = 0.0;
  std::size_t first_ = 0;  ///< first record of the current step
};

}  // namespace peal::dynamics

#pragma once

#include <peal/base/rigid_contacts.h>
#include <peal/dynamics/contact_recorder.h>
#include <peal/dynamics/island_solver.h>
#include <peal/dynamics/rigid_bodies.h>
#include <peal/dynamics/rigid_solver.h>
#include <peal/dynamics/sleep_tracker.h>

#include <memory>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Rigid bodies with smooth surfaces, simulated from impact to impact.
///
/// Free flight is integrated exactly until the next impact, whose time is found within the step;
/// impacts follow Newton's restitution with Coulomb's friction and never add energy. Resting
/// contacts are impulses once a step. Where a body rolls on one point, the constraint is taken at
/// the contact in the predicted middle of the step and the impulse at the contact at its start, as
/// a leapfrog: rolling then neither gains nor loses energy. Two bodies use the means of their
/// friction coefficients and restitutions.
///
/// Each step goes from the broad phase (candidate_pairs()) to islands (find_islands()), skips those
/// that sleep (SleepTracker) and simulates each of the others separately (IslandSolver with its
/// ImpactSolver, RestingContactSolver and JointConstraints).
///
/// With resolve_contacts() in place of step() the caller integrates the bodies: all impacts of a
/// step are resolved at its start, and bodies are displaced so that they then move as though the
/// impacts had happened at their times.
class RigidWorld : public RigidSolver, public base::RigidContacts {
 public:
  /// Throws InputError with the name of a body for shapes and masses that are impossible, and for
  /// bodies that overlap at the start.
  RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings);
  RigidWorld(const RigidWorld&) = delete;  // its parts refer to each other
  RigidWorld& operator=(const RigidWorld&) = delete;

  void step(const Moved& moved = moved_nothing) override;
  double interval() const override { return clock_.step; }
  void resolve_contacts(std::span<base::MovedBody> moved) override;
  /// Serializes the state that resolve_contacts() needs.
  void serialize(util::Archive& archive) override;

  double time() const override { return clock_.now(); }
  base::Pose pose(std::size_t body) const override { return bodies_[body].pose; }
  Vec3 velocity(std::size_t body) const override { return bodies_[body].velocity(); }
  Vec3 angular_velocity(std::size_t body) const override {
    return bodies_[body].angular_velocity();
  }
  double energy() const override { return bodies_.energy(); }
  const base::ContactLog& log() const override { return recorder_.log(); }
  double rest_impulse() const override { return recorder_.rest_impulse(); }

  std::shared_ptr<const SmoothShape> shape(std::size_t body) const { return bodies_[body].shape; }
  /// State of a free body; others are where their motion says.
  const RigidState& state(std::size_t body) const { return bodies_[body].state; }

 private:
  /// Adds bodies that begin with this step and removes those that have ended; returns whether there
  /// are any. Throws InputError with the name of a body that begins inside of another.
  bool begin_and_end();
  /// Applies the blows of this step; returns whether there are any.
  bool strike_from_outside();
  /// Islands of the bodies that exist and do not sleep.
  std::vector<Island> awake_islands();
  void take(const base::MovedBody& moved, std::uint32_t body);
  bool all_asleep() const;
  /// Ends the step after all islands have been simulated.
  void end_step(std::span<const Island> islands);

  RigidSettings settings_;
  StepClock clock_;
  RigidBodies bodies_;
  SleepTracker sleep_;
  ContactRecorder recorder_;
  IslandSolver solver_;
};

}  // namespace peal::dynamics

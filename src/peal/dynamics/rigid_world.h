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
/// Bodies fly exactly until the next impact, whose instant is found within the step; impacts
/// follow Newton's restitution with Coulomb's friction, never adding energy. Contacts that last are
/// impulses once a step. Where a body rolls on one point, the constraint is taken at the contact
/// of the predicted middle of the step and the impulse at that of its start, as a leapfrog: rolling
/// then neither gains nor loses energy. Two bodies rub and bounce with the means of their
/// frictions and restitutions.
///
/// Each step goes from the broad phase (candidate_pairs()) to islands (find_islands()), skips those
/// that sleep (SleepTracker) and takes each of the others through the step alone (IslandSolver: its
/// ImpactSolver, RestingContactSolver and JointConstraints).
///
/// With resolve_contacts() in place of step() someone else moves the bodies: all impacts of a step
/// are struck at its start, and bodies put where they then fly as though they had met at their
/// instants.
class RigidWorld : public RigidSolver, public base::RigidContacts {
 public:
  /// Throws InputError with the name of a body for shapes and masses that are impossible, and for
  /// bodies that overlap at the start.
  RigidWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings);
  RigidWorld(const RigidWorld&) = delete;  // its parts know each other
  RigidWorld& operator=(const RigidWorld&) = delete;

  void step(const Moved& moved = moved_nothing) override;
  double interval() const override { return clock_.step; }
  void resolve_contacts(std::span<base::MovedBody> moved) override;
  /// For resolve_contacts().
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
  /// Of free bodies; others are where their motion says.
  const RigidState& state(std::size_t body) const { return bodies_[body].state; }

 private:
  /// Adds bodies that begin with this step and takes out those that have ended; whether there are
  /// such. Throws InputError with the name of a body that begins inside of another.
  bool begin_and_end();
  /// Of the bodies that are there and do not sleep.
  std::vector<Island> awake_islands();
  void take(const base::MovedBody& moved, std::uint32_t body);
  bool all_asleep() const;
  /// After the islands: the step is over.
  void end_step(std::span<const Island> islands);

  RigidSettings settings_;
  StepClock clock_;
  RigidBodies bodies_;
  SleepTracker sleep_;
  ContactRecorder recorder_;
  IslandSolver solver_;
};

}  // namespace peal::dynamics

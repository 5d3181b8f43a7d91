#pragma once

#include <peal/dynamics/contact_cache.h>
#include <peal/dynamics/contact_recorder.h>
#include <peal/dynamics/impact_solver.h>
#include <peal/dynamics/islands.h>
#include <peal/dynamics/joint_constraints.h>
#include <peal/dynamics/resting_contact_solver.h>
#include <peal/dynamics/rigid_bodies.h>

#include <span>
#include <vector>

namespace peal::dynamics {

/// Takes one island through a step, apart from all others.
///
/// Its bodies fly exactly until the next impact, whose instant is found within the step. In an
/// island with many impacts in a step all are struck at its start, and stamped with their instants.
class IslandSolver {
 public:
  /// All arguments must outlive it. The clock runs through the step and is set back at its end.
  IslandSolver(RigidBodies& bodies, StepClock& clock, ContactRecorder& recorder,
               const RigidSettings& settings);
  IslandSolver(const IslandSolver&) = delete;
  IslandSolver& operator=(const IslandSolver&) = delete;

  /// `moved` is called with the bodies of the island when an impact changes how they move.
  void step(const Island& island, const RigidSolver::Moved& moved);
  /// Of bodies that someone else moves: all impacts of the step are struck at its start, and bodies
  /// put where they then fly as though they had met at their instants.
  void resolve_contacts(const Island& island);

  void serialize(util::Archive& archive) { cache_.serialize(archive); }

 private:
  void step_crowd(const Island& island, double left);
  void fly(const Island& island, double dt);
  void catch_up(const Island& island, std::span<const ContactPoint> contact_points,
                std::span<const ImpactSolver::Impact> impacts);

  RigidBodies& bodies_;
  StepClock& clock_;
  ContactCache cache_;
  JointConstraints joints_;
  ImpactThreshold threshold_;
  ImpactSolver impacts_;
  RestingContactSolver resting_;
  std::vector<bool> was_crowded_;  ///< by body: it had many impacts in its last crowded step
};

}  // namespace peal::dynamics

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

/// Simulates one island for a step, independently of all others.
///
/// The free flight of its bodies is integrated exactly until the next impact, whose time is found
/// within the step. If an island has many impacts in a step, all of them are resolved at its start
/// and recorded with their times.
class IslandSolver {
 public:
  /// All arguments must outlive it. The clock runs through the step and is set back at its end.
  IslandSolver(RigidBodies& bodies, StepClock& clock, ContactRecorder& recorder,
               const RigidSettings& settings);
  IslandSolver(const IslandSolver&) = delete;
  IslandSolver& operator=(const IslandSolver&) = delete;

  /// `moved` is called with the bodies of the island when an impact changes how they move.
  void step(const Island& island, const RigidSolver::Moved& moved);
  /// Resolves contacts of bodies that the caller integrates: all impacts of the step are resolved
  /// at its start, and bodies are displaced so that they then move as though the impacts had
  /// happened at their times.
  void resolve_contacts(const Island& island);

  void serialize(util::Archive& archive) {
    cache_.serialize(archive);
    impacts_.serialize(archive);
  }

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
  std::vector<bool> was_crowded_;  ///< by body: many impacts in its last crowded step
};

}  // namespace peal::dynamics

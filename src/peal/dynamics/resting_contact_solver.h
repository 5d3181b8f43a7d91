#pragma once

#include <peal/dynamics/contact_cache.h>
#include <peal/dynamics/contact_recorder.h>
#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/impact_solver.h>
#include <peal/dynamics/islands.h>
#include <peal/dynamics/joint_constraints.h>
#include <peal/dynamics/rigid_bodies.h>

#include <span>
#include <vector>

namespace peal::dynamics {

/// The resting, sliding and rolling contacts of an island. They act as impulses once a step, which
/// are solved together with those of the joints and start from those of the last step (warm start).
class RestingContactSolver {
 public:
  /// All arguments must outlive it.
  RestingContactSolver(RigidBodies& bodies, const StepClock& clock, const JointConstraints& joints,
                       const ImpactThreshold& threshold, ContactCache& cache,
                       ContactRecorder& recorder)
      : bodies_(bodies),
        clock_(clock),
        joints_(joints),
        threshold_(threshold),
        cache_(cache),
        recorder_(recorder) {}

  struct Options {
    bool all = false;    ///< include contacts that close fast
    bool rolls = false;  ///< integrate rolling on one point by leapfrog, which conserves energy
  };
  /// Prevents penetration at slow contacts, and satisfies joints, for `dt` [s].
  void resolve(const Island& island, const std::vector<ContactPoint>& contact_points, double dt,
               const Options& options);

 private:
  /// Contacts as constraints, and their contact points.
  struct Rows {
    std::vector<ContactRow> rows;                     ///< of contacts, then of joints
    std::vector<const ContactPoint*> contact_points;  ///< one a contact
  };

  const CachedContact* cached(const ContactPoint& contact_point) const;
  Rows rows_of(const Island& island, const std::vector<ContactPoint>& contact_points,
               std::span<const BodyMomentum> now, double dt, const Options& options) const;
  void take_to_middle(const ContactPoint& contact_point, double dt, ContactRow& row,
                      double& gap) const;
  double energy_in_middle(const Island& island, std::vector<BodyMomentum> momenta, double dt) const;
  void move_apart(const Island& island, std::span<const ContactPoint> contact_points, double dt);
  /// Records the contacts, and caches them for the next step.
  void finish(const Island& island, const Rows& rows, std::span<const BodyMomentum> before,
              std::span<const BodyMomentum> after, double dt);
  double rolling_speed(const ContactPoint& contact_point, const ContactRow& row,
                       std::span<const BodyMomentum> after, double dt) const;
  bool is_turning(const ContactPoint& contact_point) const;
  void resist_rolling_at(const ContactPoint& contact_point, double push, double speed);

  RigidBodies& bodies_;
  const StepClock& clock_;
  const JointConstraints& joints_;
  const ImpactThreshold& threshold_;
  ContactCache& cache_;
  ContactRecorder& recorder_;
};

}  // namespace peal::dynamics

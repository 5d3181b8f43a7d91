#pragma once

#include <peal/base/impact_law.h>
#include <peal/dynamics/contact_cache.h>
#include <peal/dynamics/contact_recorder.h>
#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/islands.h>
#include <peal/dynamics/joint_constraints.h>
#include <peal/dynamics/rigid_bodies.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace peal::dynamics {

/// The speed above which an approach is an impact; slower approaches are left to resting contacts.
class ImpactThreshold {
 public:
  /// All arguments must outlive it.
  ImpactThreshold(const RigidBodies& bodies, const StepClock& clock, const ContactCache& cache,
                  const RigidSettings& settings)
      : bodies_(bodies), clock_(clock), cache_(cache), least_(slowest_bounce(settings)) {}

  double least() const { return least_; }  ///< lower bound for all contacts [m/s]
  /// Threshold at a contact point [m/s]. Where a body rolls, the contact point moves on to parts of
  /// the surface that have come down meanwhile, with the angular velocity times the distance moved:
  /// that speed does not bounce.
  double at(const ContactPoint& contact_point) const;
  /// Whether a contact that closes with `speed` [m/s] bounces.
  bool is_impact(const ContactPoint& contact_point, double speed) const {
    return speed > least_ && speed > at(contact_point);
  }

 private:
  const RigidBodies& bodies_;
  const StepClock& clock_;
  const ContactCache& cache_;
  double least_;
};

/// Impacts of bodies that ring, or that waves leave for good: a base::ImpactLaw says what becomes
/// of them where that matters, instead of Newton's restitution.
///
/// One system of the law has all contact points of the pairs of bodies that meet, and those of
/// pairs with a body among them that are so near that they may meet before the impact is over. For
/// the rigid bodies the impact is an instant: they get new velocities and stay where they are.
class CompliantImpacts {
 public:
  /// All arguments must outlive it. Without a law nothing is resolved.
  CompliantImpacts(RigidBodies& bodies, const StepClock& clock, const JointConstraints& joints,
                   ContactRecorder& recorder, std::shared_ptr<base::ImpactLaw> law)
      : bodies_(bodies),
        clock_(clock),
        joints_(joints),
        recorder_(recorder),
        law_(std::move(law)) {}

  struct Result {
    /// Whether a contact point was resolved, one each; empty: none was.
    std::vector<bool> resolved;
    std::vector<Vec3> impulses;    ///< [N s]
    std::vector<Vec3> velocities;  ///< of a relative to b before it [m/s]
  };
  /// Resolves the contact points for which the law matters, changes the velocities of their bodies
  /// and records the impacts. `contact_points` are those of the pairs that meet now.
  Result resolve(const Island& island, std::span<const ContactPoint> contact_points);

  void serialize(util::Archive& archive) {
    if (law_) law_->serialize(archive);
  }

 private:
  /// Contact points whose free bodies touch each other, directly or through others.
  struct Group {
    std::vector<std::uint32_t> bodies;  ///< ascending
    std::vector<ContactPoint> points;   ///< the first `struck` of them are given
    std::vector<std::size_t> given;     ///< index of each that is given
  };

  std::vector<Group> groups(std::span<const ContactPoint> contact_points) const;
  void add_near(const Island& island, Group& group) const;
  base::ImpactBody impact_body(std::uint32_t body) const;
  base::ImpactContact impact_contact(const Group& group, const ContactPoint& point) const;
  void strike(const Island& island, const Group& group, Result& result);

  RigidBodies& bodies_;
  const StepClock& clock_;
  const JointConstraints& joints_;
  ContactRecorder& recorder_;
  std::shared_ptr<base::ImpactLaw> law_;
};

/// The impacts of an island: their times, and the velocities after them.
///
/// All contacts follow Newton's restitution with Coulomb's friction together, but for those of
/// bodies that ring (CompliantImpacts). Impacts never add energy, and propagate from pair to pair
/// of bodies, like the wave in the bodies.
class ImpactSolver {
 public:
  /// All arguments must outlive it.
  ImpactSolver(RigidBodies& bodies, const StepClock& clock, const JointConstraints& joints,
               const ImpactThreshold& threshold, ContactRecorder& recorder,
               std::shared_ptr<base::ImpactLaw> law)
      : bodies_(bodies),
        clock_(clock),
        joints_(joints),
        threshold_(threshold),
        recorder_(recorder),
        compliant_(bodies, clock, joints, recorder, std::move(law)) {}

  /// The impact at a contact point.
  struct Impact {
    Vec3 impulse = Vec3::Zero();   ///< [N s]
    Vec3 recorded = Vec3::Zero();  ///< part of it that is in the log already [N s]
    Vec3 velocity = Vec3::Zero();  ///< of a relative to b before it [m/s]
    bool is_passed_on = false;     ///< the contact was at rest, or had an impact before
    double delay = 0.0;            ///< time from now until the bodies touch [s]
  };
  struct Result {
    std::size_t meetings = 0;     ///< number of impacts, with repetitions at a contact
    std::vector<Impact> impacts;  ///< one a contact point
  };

  /// Time until the next impact, at most `left` [s].
  double time_until_impact(std::span<const ContactPoint> contact_points, double left) const;
  /// Resolves all impacts at this time; returns false if there are none. With `at_once` this
  /// includes impacts that follow before any time passes.
  bool resolve_now(const Island& island, std::span<const ContactPoint> contact_points,
                   bool at_once);
  /// Resolves now all impacts that happen within a time [s].
  Result resolve_within(const Island& island, const std::vector<ContactPoint>& contact_points,
                        double within);

  void serialize(util::Archive& archive) { compliant_.serialize(archive); }

 private:
  double time_of_impact(const ContactPoint& contact_point, const Vec3& velocity) const;
  double impact_speed(const ContactPoint& contact_point,
                      std::span<const BodyMomentum> momenta) const;
  std::vector<std::size_t> meeting(const std::vector<ContactPoint>& contact_points, double within,
                                   std::span<const double> last_struck,
                                   std::vector<Impact>& impacts) const;
  std::vector<ContactRow> bounced(const Island& island,
                                  std::span<const ContactPoint> contact_points, double restitution,
                                  std::span<BodyMomentum> momenta) const;
  std::vector<Impact> bounce(const Island& island, std::span<const ContactPoint> contact_points);
  std::vector<Impact> bounce_rigidly(const Island& island,
                                     std::span<const ContactPoint> contact_points);
  void record(const ContactPoint& contact_point, const Impact& impact);

  RigidBodies& bodies_;
  const StepClock& clock_;
  const JointConstraints& joints_;
  const ImpactThreshold& threshold_;
  ContactRecorder& recorder_;
  CompliantImpacts compliant_;
};

}  // namespace peal::dynamics

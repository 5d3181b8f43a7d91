#pragma once

#include <peal/base/impact_law.h>
#include <peal/dynamics/contact_recorder.h>
#include <peal/dynamics/islands.h>
#include <peal/dynamics/joint_constraints.h>
#include <peal/dynamics/rigid_bodies.h>
#include <peal/util/archive.h>

#include <memory>
#include <span>
#include <vector>

namespace peal::dynamics {

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

}  // namespace peal::dynamics

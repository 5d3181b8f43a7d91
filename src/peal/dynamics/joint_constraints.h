#pragma once

#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/rigid_bodies.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Rods, strings and hinges as constraints that are solved together with contacts.
class JointConstraints {
 public:
  /// All arguments must outlive it.
  JointConstraints(const RigidBodies& bodies, const StepClock& clock,
                   std::span<const RigidJoint> joints)
      : bodies_(bodies), clock_(clock), joints_(joints) {}

  /// Adds rows that may pull, for the joints with these numbers. For a time `dt` [s] they are
  /// evaluated in the middle of the step, like rolling contacts; if `dt` is zero, they only stop
  /// the present velocity that separates their ends.
  void add_rows(std::span<const std::uint32_t> which, double dt,
                std::vector<ContactRow>& rows) const;

 private:
  /// The point where a joint is attached to a body, or to the world.
  struct End {
    Vec3 now, then;             ///< position at the start and in the middle of the step [m]
    Vec3 push, arm;             ///< lever arms from the centre of mass [m]
    Mat3 inverse_inertia;       ///< in the middle [1/(kg m^2)]
    Vec3 falls = Vec3::Zero();  ///< acceleration by gravity [m/s^2]
  };
  End end_of(const RigidBody& body, const Vec3& local, double dt) const;

  const RigidBodies& bodies_;
  const StepClock& clock_;
  std::span<const RigidJoint> joints_;
};

}  // namespace peal::dynamics

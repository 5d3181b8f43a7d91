#pragma once

#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/rigid_bodies.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Rods, strings and hinges as constraints that are solved for together with contacts.
class JointConstraints {
 public:
  /// All arguments must outlive it.
  JointConstraints(const RigidBodies& bodies, const StepClock& clock,
                   std::span<const RigidJoint> joints)
      : bodies_(bodies), clock_(clock), joints_(joints) {}

  /// Adds rows that pull, of the joints with these numbers. Over a time `dt` [s] they are taken to
  /// the middle of the step as rolling contacts are; if it is zero, they only stop what pulls them
  /// apart now.
  void add_rows(std::span<const std::uint32_t> which, double dt,
                std::vector<ContactRow>& rows) const;

 private:
  /// Where a joint holds a body, or the world.
  struct End {
    Vec3 now, then;             ///< where it is at the start and in the middle [m]
    Vec3 push, arm;             ///< from the centre of mass [m]
    Mat3 inverse_inertia;       ///< in the middle [1/(kg m^2)]
    Vec3 falls = Vec3::Zero();  ///< [m/s^2]
  };
  End end_of(const RigidBody& body, const Vec3& local, double dt) const;

  const RigidBodies& bodies_;
  const StepClock& clock_;
  std::span<const RigidJoint> joints_;
};

}  // namespace peal::dynamics

#pragma once

#include <peal/base/motion.h>
#include <peal/geometry/mesh/mass_properties.h>

namespace peal::base {

using geometry::Mat3;

/// How the mass of a body lies: about its centre, in principal axes.
struct MassFrame {
  double mass = 1.0;            ///< [kg]
  Vec3 moments = Vec3::Ones();  ///< [kg m^2]
  /// The principal frame in the body's frame.
  Vec3 centre = Vec3::Zero();  ///< [m]
  Quat axes = Quat::Identity();
};

MassFrame mass_frame(const geometry::MassProperties& mass);

/// A body in motion: its principal frame, and its momenta about the centre of mass.
struct RigidState {
  Vec3 position = Vec3::Zero();  ///< of the centre of mass [m]
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< in the world [kg m^2/s]
};

/// I^-1 in the world [1/(kg m^2)].
Mat3 inverse_inertia(const MassFrame& frame, const RigidState& state);
Vec3 angular_velocity(const MassFrame& frame, const RigidState& state);  ///< [rad/s]
Pose body_pose(const MassFrame& frame, const RigidState& state);
/// The energy of translation and rotation [J].
double kinetic_energy(const MassFrame& frame, const RigidState& state);

/// Flies for `dt` [s] under `gravity` [m/s^2] alone. The centre of mass moves exactly, and bodies
/// with two equal moments turn exactly; others by a symmetric splitting into turns about their
/// three axes, which keeps the angular momentum and lets the energy swing, never drift.
void fly(const MassFrame& frame, const Vec3& gravity, double dt, RigidState& state);

}  // namespace peal::base

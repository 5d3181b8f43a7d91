#pragma once

#include <peal/base/motion.h>
#include <peal/geometry/mesh/mass_properties.h>

namespace peal::base {

using geometry::Mat3;

/// The mass distribution of a body: its centre of mass, principal axes and principal moments.
struct MassFrame {
  double mass = 1.0;            ///< [kg]
  Vec3 moments = Vec3::Ones();  ///< [kg m^2]
  /// The principal frame in the body's frame.
  Vec3 centre = Vec3::Zero();  ///< [m]
  Quat axes = Quat::Identity();
};

MassFrame mass_frame(const geometry::MassProperties& mass);

/// The state of a rigid body: its principal frame, and its momenta about the centre of mass.
struct RigidState {
  Vec3 position = Vec3::Zero();  ///< position of the centre of mass [m]
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< angular momentum in the world [kg m^2/s]
};

/// The inverse inertia tensor in the world [1/(kg m^2)].
Mat3 inverse_inertia(const MassFrame& frame, const RigidState& state);
Vec3 angular_velocity(const MassFrame& frame, const RigidState& state);  ///< [rad/s]
Pose body_pose(const MassFrame& frame, const RigidState& state);
/// The kinetic energy of translation and rotation [J].
double kinetic_energy(const MassFrame& frame, const RigidState& state);

/// Integrates free flight for `dt` [s] under `gravity` [m/s^2] alone. The translation is exact, and
/// so is the rotation of bodies with two equal moments. Other bodies rotate by a symmetric
/// splitting into rotations about their three axes, which conserves the angular momentum; the
/// energy oscillates but does not drift.
void fly(const MassFrame& frame, const Vec3& gravity, double dt, RigidState& state);

}  // namespace peal::base

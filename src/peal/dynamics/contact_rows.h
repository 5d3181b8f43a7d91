#pragma once

#include <peal/geometry/mesh/vector.h>

#include <cstdint>
#include <span>

namespace peal::dynamics {

using geometry::Mat3;
using geometry::Vec3;

/// Motion of a body while contacts are solved.
struct BodyMomentum {
  double inverse_mass = 0.0;             ///< [1/kg]; 0: it is not free
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< free bodies only [kg m^2/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< other bodies only [rad/s]
};

/// One contact as a constraint: the velocity that it must have, and the impulse that achieves it.
/// Velocities may be taken at another pose than that at which the impulse acts.
struct ContactRow {
  std::uint32_t body_a = 0, body_b = 0;
  Vec3 normal = Vec3::UnitY();                        ///< out of b towards a
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();    ///< lever arms for velocities [m]
  Vec3 push_a = Vec3::Zero(), push_b = Vec3::Zero();  ///< lever arms for impulses [m]
  Mat3 inverse_inertia_a = Mat3::Zero(), inverse_inertia_b = Mat3::Zero();  ///< [1/(kg m^2)]
  Vec3 drift = Vec3::Zero();  ///< added to the velocity of a relative to b [m/s]
  double target = 0.0;        ///< least velocity along the normal after the impulse [m/s]
  double friction = 0.0;      ///< mu [1]
  bool pulls = false;         ///< the velocity must equal the target; the impulse may pull
  /// Direction of the impulse of a row without friction, if it is not the normal; unit length.
  Vec3 force = Vec3::Zero();

  Vec3 impulse = Vec3::Zero();  ///< the unknown: impulse of b on a [N s]

  Vec3 velocity(std::span<const BodyMomentum> bodies) const;  ///< of a relative to b [m/s]
  /// Change of velocity along the normal by a unit impulse along it, without other contacts [1/kg].
  double response(std::span<const BodyMomentum> bodies) const;
};

void apply_impulse(const ContactRow& row, const Vec3& impulse, std::span<BodyMomentum> bodies);

/// Finds impulses that only push, with friction of at most mu times the push, row after row until
/// nothing changes (projected Gauss-Seidel). Starts from the impulses of the rows, which must have
/// been applied. If all are zero, it starts without friction: a body that lands flat on its corners
/// would otherwise have friction at each, because the first corner tilts it.
void solve_rows(std::span<ContactRow> rows, std::span<BodyMomentum> bodies);

}  // namespace peal::dynamics

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <cstdint>
#include <span>

namespace peal::dynamics {

using geometry::Mat3;
using geometry::Vec3;

/// How a body moves while contacts are solved for.
struct BodyMomentum {
  double inverse_mass = 0.0;             ///< [1/kg]; 0: it is not free
  Vec3 velocity = Vec3::Zero();          ///< [m/s]
  Vec3 angular_momentum = Vec3::Zero();  ///< of a free body [kg m^2/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< of one that is not [rad/s]
};

/// One contact: what its velocity must be, and the impulse that makes it so. Velocities may be
/// taken at another pose than that at which the impulse acts.
struct ContactRow {
  std::uint32_t body_a = 0, body_b = 0;
  Vec3 normal = Vec3::UnitY();                        ///< out of b towards a
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();    ///< from the centres, for velocities [m]
  Vec3 push_a = Vec3::Zero(), push_b = Vec3::Zero();  ///< the same for impulses [m]
  Mat3 inverse_inertia_a = Mat3::Zero(), inverse_inertia_b = Mat3::Zero();  ///< [1/(kg m^2)]
  Vec3 drift = Vec3::Zero();  ///< that is added to the velocity of a against b [m/s]
  double target = 0.0;        ///< least velocity along the normal after the impulse [m/s]
  double friction = 0.0;      ///< mu [1]
  bool pulls = false;         ///< the velocity is to be the target, whatever impulse that takes
  /// Where the impulse of a row without friction acts along, if not along the normal; unit length.
  Vec3 force = Vec3::Zero();

  Vec3 impulse = Vec3::Zero();  ///< that b gives a [N s]: the unknown

  Vec3 velocity(std::span<const BodyMomentum> bodies) const;  ///< of a against b [m/s]
  /// What a unit impulse along the normal adds to the velocity along it, all others away [1/kg].
  double response(std::span<const BodyMomentum> bodies) const;
};

void apply_impulse(const ContactRow& row, const Vec3& impulse, std::span<BodyMomentum> bodies);

/// Finds impulses that push only, and rub by at most mu times the push: row after row until nothing
/// changes (projected Gauss-Seidel). Starts from the rows' impulses, which must have been applied;
/// if there are none, without friction: what lands flat on its corners would otherwise rub at each,
/// since the corner that comes first tilts it.
void solve_rows(std::span<ContactRow> rows, std::span<BodyMomentum> bodies);

}  // namespace peal::dynamics

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <algorithm>

namespace peal::elastic {

/// Contact properties of the surface of a solid.
struct ContactSide {
  bool meets_others = true;
  double friction = 0.4;  ///< mu [1]
};

// Penalty contact with Coulomb friction, for solids with obstacles and with each other. A pressure
// of kappa times the depth acts between surfaces, kappa = 2 E* / h with h the size of a face: the
// compliance of what an element cannot resolve.

/// Contact modulus E* of Hertz's theory [Pa], from the compliances of both bodies [1/Pa]
/// (fem::contact_compliance).
inline double contact_modulus(double compliance, double other_compliance) {
  return 1.0 / (compliance + other_compliance);
}

/// Effective depth [m] of a penalty spring whose end is `depth` deep and moves |travel| in a step.
///
/// A spring that is evaluated once a step, and exists only inside, gains an energy of k d (T - d) /
/// 2 when its end leaves from a depth of d with a travel of T, or loses it on entry, whatever d
/// happens to be. A depth of d (d + T) / (2 T) instead of d, while d is less than T, does neither
/// (docs/theory/elastic.md).
double spring_depth(double depth, double travel);

/// Fraction of a node's momentum that friction may take in a step: it slows nodes down without
/// reversing their motion.
inline constexpr double friction_limit = 0.2;

/// Velocity of one of two points in contact relative to the other.
struct ContactVelocity {
  double apart = 0.0;      ///< along the normal [m/s]
  geometry::Vec3 sliding;  ///< tangential velocity [m/s]
  double speed = 0.0;      ///< speed of sliding; never zero [m/s]

  ContactVelocity(const geometry::Vec3& velocity, const geometry::Vec3& normal)
      : apart(velocity.dot(normal)),
        sliding(velocity - apart * normal),
        speed(std::max(sliding.norm(), least_speed)) {}

  static constexpr double least_speed = 1e-12;  ///< below it friction has no direction
};

/// The contact force on a point [N]: `push` along the normal, and Coulomb friction of `friction`
/// (mu) times the push against its sliding, but at most `most_drag` [N s/m] times its speed.
geometry::Vec3 contact_force(const geometry::Vec3& normal, double push,
                             const ContactVelocity& velocity, double friction, double most_drag);

}  // namespace peal::elastic

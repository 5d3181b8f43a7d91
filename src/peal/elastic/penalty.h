#pragma once

#include <peal/geometry/mesh/vector.h>

#include <algorithm>

namespace peal::elastic {

/// How the surface of a solid meets others.
struct ContactSide {
  bool meets_others = true;
  double friction = 0.4;  ///< mu [1]
};

/// Penalty contact with Coulomb friction: what contact of solids with obstacles and with each other
/// have in common. A pressure of kappa times the depth acts between surfaces, kappa = 2 E* / h with
/// h the size of a face: the compliance of what an element cannot resolve.

/// E* of Hertz's theory [Pa], from the compliances of both bodies [1/Pa] (fem::contact_compliance).
inline double contact_modulus(double compliance, double other_compliance) {
  return 1.0 / (compliance + other_compliance);
}

/// The depth that a spring counts [m] whose end is `depth` deep and goes |travel| in a step.
///
/// A spring that is asked once a step and is only there inside gets k d (T - d) / 2 of energy as
/// its end leaves from a depth of d with a travel of T, or takes it as it comes, whatever d happens
/// to be. Counting d (d + T) / (2 T) in place of d, while that is less than T, does neither
/// (docs/theory/elastic.md).
double spring_depth(double depth, double travel);

/// Part of a node's momentum that friction may take in a step: it slows nodes down without turning
/// them round.
inline constexpr double friction_limit = 0.2;

/// How one of two points that touch moves against the other.
struct ContactVelocity {
  double apart = 0.0;      ///< along the normal [m/s]
  geometry::Vec3 sliding;  ///< across it [m/s]
  double speed = 0.0;      ///< of sliding; never zero [m/s]

  ContactVelocity(const geometry::Vec3& velocity, const geometry::Vec3& normal)
      : apart(velocity.dot(normal)),
        sliding(velocity - apart * normal),
        speed(std::max(sliding.norm(), least_speed)) {}

  static constexpr double least_speed = 1e-12;  ///< below it friction has no direction
};

/// The force on a point [N]: `push` along the normal, and against its sliding `friction`, mu times
/// the push by Coulomb's law, but at most `most_drag` [N s/m] times its speed.
geometry::Vec3 contact_force(const geometry::Vec3& normal, double push,
                             const ContactVelocity& velocity, double friction, double most_drag);

}  // namespace peal::elastic

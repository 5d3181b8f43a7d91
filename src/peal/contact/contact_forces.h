#pragma once

#include <peal/base/contact.h>
#include <peal/base/material.h>
#include <peal/base/motion.h>
#include <peal/contact/impact_law.h>
#include <peal/contact/local_shape.h>
#include <peal/geometry/mesh/mass_properties.h>

#include <memory>
#include <span>
#include <vector>

namespace peal::contact {

/// What contact forces need to know of a body.
struct ContactBody {
  bool is_free = false;           ///< otherwise it does not give way
  geometry::MassProperties mass;  ///< in the body's frame; of a free body
  base::Material material;
  std::shared_ptr<const base::Motion> motion;
  std::shared_ptr<const LocalShape> shape;
  double patch = 0.0;        ///< largest radius of an area that can touch [m]
  double restitution = 0.5;  ///< [1]
  double friction = 0.4;     ///< coefficient of Coulomb's friction [1]
  /// Work per normal force and distance moved by the contact point [1].
  double rolling_resistance = 0.0;
};

/// The forces of all impacts on each body, by time (Chadwick et al. 2012, section 3): a half sine
/// along the impulse, as long as Hertz's theory says, or the force that an impact law found.
/// bodies[i] is body i of the impacts.
std::vector<std::vector<base::ContactForce>> contact_forces(std::span<const base::Impact> impacts,
                                                            std::span<const ContactBody> bodies);

/// Finds the forces of those impacts that have none, where the compliance of the bodies matters.
/// Impacts are in the order of time; the law is that of `bodies`, whose modes are at rest before.
void find_forces(std::span<base::Impact> impacts, std::span<const ContactBody> bodies,
                 CompliantImpactLaw& law);

/// What the vibration of each body meets where it lies, slides or rolls on others
/// (docs/theory/contact.md): a list a body, by their beginnings; none for bodies without modes, or
/// that are not `excited`. What moves along another is at one point for some milliseconds at a
/// time. `law` is that of `bodies`.
std::vector<std::vector<base::LastingContact>> lasting_contacts(const base::ContactEvents& events,
                                                                std::span<const ContactBody> bodies,
                                                                const std::vector<bool>& excited,
                                                                const CompliantImpactLaw& law);

}  // namespace peal::contact

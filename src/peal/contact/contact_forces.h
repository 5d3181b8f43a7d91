#pragma once

#include <peal/base/contact.h>
#include <peal/base/material.h>
#include <peal/base/motion.h>
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
  double patch = 0.0;  ///< largest radius of an area that can touch [m]
};

/// The forces of all impacts on each body, by time (Chadwick et al. 2012, section 3): a half sine
/// along the impulse, as long as Hertz's theory says. bodies[i] is body i of the impacts.
std::vector<std::vector<base::ContactForce>> contact_forces(std::span<const base::Impact> impacts,
                                                            std::span<const ContactBody> bodies);

}  // namespace peal::contact

#pragma once

#include <peal/base/contact_compliance.h>
#include <peal/base/material.h>
#include <peal/geometry/mesh/tri_mesh.h>

#include <memory>

namespace peal::contact {

/// The compliance of a fixed plate whose modes are not known: that of the waves that an impact
/// sends through it, which do not return. Null if the mesh is no plate: a solid that fills at least
/// half of its box along the principal axes, whose least size is below a fifth of the next. Thick
/// bodies take less than 1 % of an impact's energy as waves (Hunter 1957).
std::shared_ptr<const base::ContactCompliance> held_plate(const geometry::TriMesh& mesh,
                                                          const base::Material& material);

}  // namespace peal::contact

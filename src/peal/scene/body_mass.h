#pragma once

#include <peal/geometry/mesh/mass_properties.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Mass, centre and inertia of an object with a mesh and a material. Balls and solids of revolution
/// weigh what they are, not what the facets of their mesh enclose. Throws std::invalid_argument if
/// the mesh encloses no volume.
geometry::MassProperties body_mass(const Object& object);

}  // namespace peal::scene

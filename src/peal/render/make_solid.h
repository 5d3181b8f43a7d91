#pragma once

#include <peal/elastic/solid.h>
#include <peal/scene/scene.h>

namespace peal::render {

/// Cuts a deformable object into elements, in its own frame, and gives them its material and
/// damping. Throws InputError that names the object if its shape has no such mesh.
elastic::Solid make_solid(const scene::Object& object);

}  // namespace peal::render

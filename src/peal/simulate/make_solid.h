#pragma once

#include <peal/elastic/solid.h>
#include <peal/scene/scene.h>

#include <string>
#include <vector>

namespace peal::simulate {

/// Cuts a deformable object into elements, in its own frame, and gives them its material and
/// damping. Adds what was done to its mesh to `notices`. Throws InputError that names the object if
/// its shape has no such mesh.
elastic::Solid make_solid(const scene::Object& object, std::vector<std::string>& notices);

/// How many elements that will be, about.
double expected_elements(const scene::Object& object);

}  // namespace peal::simulate

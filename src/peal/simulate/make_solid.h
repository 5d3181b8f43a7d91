#pragma once

#include <peal/base/medium.h>
#include <peal/elastic/solid.h>
#include <peal/scene/scene.h>

#include <string>
#include <vector>

namespace peal::simulate {

/// Divides a deformable object into elements in its own frame, with its material and damping. Adds
/// what was done to its mesh to `notices`. Throws InputError that names the object if its shape
/// cannot be meshed in this way. The medium damps shells.
elastic::Solid make_solid(const scene::Object& object, std::vector<std::string>& notices,
                          const base::Medium& medium = {});

/// Approximate number of elements of make_solid().
double expected_elements(const scene::Object& object);

}  // namespace peal::simulate

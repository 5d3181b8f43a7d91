#pragma once

#include <peal/scene/scene.h>

namespace peal::render {

/// Where the deformable bodies of a scene start, in whole metres; the origin if that is near. Far
/// from the origin positions have fewer digits for how bodies deform.
geometry::Vec3 middle_of_deformables(const scene::Scene& scene);

/// The scene with all of its objects and listeners, and what holds or moves them, moved on [m].
scene::Scene moved(scene::Scene scene, const geometry::Vec3& way);

}  // namespace peal::render

#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Reads the keys that concern the whole scene: version, duration, rate, medium, clock of frames,
/// radiation. They are read first, because the others are checked against them.
void read_settings(util::JsonObject& keys, Scene& scene, ReadContext& context);

/// Appends the objects and listeners that the keys of those names list, if they are there.
void read_contents(util::JsonObject& keys, Scene& scene, ReadContext& context);

/// Reports names that occur twice, among the objects and among the listeners.
void check_names(const Scene& scene, util::Problems& problems);

}  // namespace peal::scene

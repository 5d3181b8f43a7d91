#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// One element of an object's `sound` list.
Sound read_sound(const util::JsonValue& value, ReadContext& context);

}  // namespace peal::scene

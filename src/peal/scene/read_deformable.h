#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// The value of {"deformable": ...}; `object` has its mesh and gets its start as its motion.
void read_deformable(const util::JsonValue& value, Object& object, ReadContext& context);

/// Says at `motion` what a deformable body still needs; one whose shape could not be read is not
/// complained about again.
void check_deformable(const Object& object, bool shape_is_given, const util::JsonValue& motion);

}  // namespace peal::scene

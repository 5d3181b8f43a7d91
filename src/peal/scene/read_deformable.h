#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Reads the value of {"deformable": ...}; `object` has its mesh and gets its initial pose as its
/// motion.
void read_deformable(const util::JsonValue& value, Object& object, ReadContext& context);

/// Reports at `motion` what a deformable body still needs. A shape that could not be read is not
/// reported again.
void check_deformable(const Object& object, bool shape_is_given, const util::JsonValue& motion);

}  // namespace peal::scene

#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// The value of an object's `contact`.
ContactProperties read_contact(const util::JsonValue& value);

/// Gives the object's collision shape its fillets.
void round_edges(Object& object);

/// Says at `motion` what a free body still needs; one whose shape could not be read is not
/// complained about again.
void check_rigid(const Object& object, bool shape_is_given, const util::JsonValue& motion);

/// The value of {"rigid": ...}: where a free body starts, and how fast.
RigidStart read_rigid(const util::JsonValue& value, MotionPath& start);

/// The value of a scene's `dynamics`.
Dynamics read_dynamics(const util::JsonValue& value, const ReadContext& context);

}  // namespace peal::scene

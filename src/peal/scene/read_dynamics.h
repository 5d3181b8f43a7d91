#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Reads the value of an object's `contact`.
ContactProperties read_contact(const util::JsonValue& value);

/// Finds the collision shape of the object with its fillets: the formula of its built-in shape, a
/// ball or a box if its mesh is one, its mesh, or what its `contact` says. Problems are reported at
/// `value`, the object.
void settle_collision(Object& object, const util::JsonValue& value);

/// Reports at `motion` what a free body still needs. A shape that could not be read is not reported
/// again.
void check_rigid(const Object& object, bool shape_is_given, const util::JsonValue& motion);

/// Reads the keys `velocity` [m/s] and `angular_velocity` [rad/s] of a body that starts to move.
Vec3 read_velocity(util::JsonObject& keys);
Vec3 read_angular_velocity(util::JsonObject& keys);

/// Reads the value of {"rigid": ...}: initial pose and velocity of a free body.
RigidMotion read_rigid(const util::JsonValue& value, MotionPath& start, ReadContext& context);

/// Reads the value of {"fracture": ...}: how a body starts, and how it breaks.
void read_fracture(const util::JsonValue& value, Object& object, ReadContext& context);

/// Reads the value of a scene's `dynamics`.
Dynamics read_dynamics(const util::JsonValue& value, const ReadContext& context);

}  // namespace peal::scene

#pragma once

#include <peal/scene/keyframes.h>
#include <peal/scene/read_context.h>

namespace peal::scene {

/// Reads "fixed", a pose, keyframes, a circle or a node of a glTF file.
MotionPath read_motion(const util::JsonValue& value, ReadContext& context);

/// Reads the keys `position` and `rotation` or `look_at`: a constant transform.
AnimatedTransform read_pose(util::JsonObject& object);

/// Reads {"axis": [0, 1, 0], "degrees": 90} or a quaternion [x, y, z, w].
Turn read_rotation(const util::JsonValue& value);

}  // namespace peal::scene

#pragma once

#include <peal/scene/keyframes.h>
#include <peal/scene/read_context.h>

namespace peal::scene {

/// "fixed", a pose, keyframes, a circle or a node of a glTF file.
MotionPath read_motion(const util::JsonValue& value, ReadContext& context);

/// The keys `position` and `rotation` or `look_at`: a transform that stays.
AnimatedTransform read_pose(util::JsonObject& object);

/// {"axis": [0, 1, 0], "degrees": 90} or a quaternion [x, y, z, w].
Turn read_rotation(const util::JsonValue& value);

}  // namespace peal::scene

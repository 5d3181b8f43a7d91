#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Reads the key `strikes` of an object: {"t": 0.5, "at": [x, y, z], "force": {"impulse": 0.1}},
/// or a "hammer", a "pluck" or an "initial" motion in place of the force.
std::vector<Strike> read_strikes(const util::JsonValue& value, const Object& object,
                                 const ReadContext& context);

}  // namespace peal::scene

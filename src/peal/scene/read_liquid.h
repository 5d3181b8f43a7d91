#pragma once

#include <peal/scene/read_geometry.h>

namespace peal::scene {

/// Reads {"radius": 0.03, "depth": 0.05, "drip": {...}}: a liquid that Peal moves.
ObjectShape read_liquid(const util::JsonValue& value, ReadContext& context);

}  // namespace peal::scene

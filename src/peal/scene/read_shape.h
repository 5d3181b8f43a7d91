#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/read_geometry.h>

namespace peal::scene {

/// Reads a built-in shape: {"sphere": 0.05}, {"box": {"size": [1, 2, 3], "edge_length": 0.1}}.
/// Without an edge length it is a twentieth of the shape's longest side.
/// If the shape is the middle of a wall, a lathe is a line that is turned, not a closed section.
ObjectShape read_shape(const util::JsonValue& value, double scale, bool is_middle,
                       ReadContext& context);

}  // namespace peal::scene

#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Reads {"pattern": "cloth.####.ply", "first": 1, "last": 48}. Every file must exist.
MeshSequence read_mesh_sequence(const util::JsonValue& value, const ReadContext& context);

/// The file of one frame: a run of # or %04d, %d becomes its number. Empty if the pattern has no
/// place for a number, or more than one.
std::string numbered_name(const std::string& pattern, std::int64_t frame);

}  // namespace peal::scene

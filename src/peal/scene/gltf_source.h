#pragma once

#include <peal/scene/gltf.h>
#include <peal/scene/read_context.h>

#include <memory>
#include <optional>
#include <string>

namespace peal::scene {

/// A node of a glTF file that a scene names: "scene.glb#phone".
struct GltfSource {
  std::shared_ptr<const GltfFile> file;
  int node = -1;
};

bool is_gltf_name(const std::string& name);  ///< ends in .gltf or .glb, before any #

/// The node named by the text at `value`; without a #, the only node that has a mesh. Files are
/// read once. Empty after a report.
std::optional<GltfSource> find_gltf_source(const util::JsonValue& value, ReadContext& context);

/// The node's motion on the scene's clock: shifted by the scene's frame_start, or with a notice if
/// the animation seems to begin at frame 1 and nobody said where the scene begins.
MotionPath scene_motion(const GltfFile& file, int node, ReadContext& context);

/// Keyed shapes of the node's mesh on the scene's clock; null if its shape does not change.
std::shared_ptr<const MorphTargets> scene_morph(const GltfFile& file, int node,
                                                ReadContext& context);

}  // namespace peal::scene

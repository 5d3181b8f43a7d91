#pragma once

#include <peal/scene/gltf.h>
#include <peal/scene/scene.h>

#include <filesystem>

namespace peal::scene {

/// A glTF file that is a scene by itself. The keys of a scene sit in `extras.peal` of its glTF
/// scene; a node with `extras.peal` is an object with the node's mesh and motion, or a listener if
/// that holds the key `listener`. `extras.peal` may also be JSON in a text, as a custom property in
/// Blender is easily made. Other files that it names are relative to `base_dir`.
Scene gltf_scene(const GltfFile& file, const std::filesystem::path& base_dir);

}  // namespace peal::scene

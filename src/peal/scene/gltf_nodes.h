#pragma once

#include <peal/scene/gltf.h>
#include <peal/scene/gltf_document.h>

namespace peal::scene::gltf {

/// Names, parents, fixed transforms, extras. The hierarchy is checked to be a forest.
void read_nodes(const Document& document, GltfFile& file);

/// The skeletons; every mesh that uses one is checked to have joints that it knows.
void read_skins(Document& document, GltfFile& file);

/// Marks the nodes of the default scene (all if the file has no scenes) and takes its extras.
void read_default_scene(const Document& document, GltfFile& file);

/// Lays the channels of all animations over the nodes' transforms.
void read_animations(Document& document, GltfFile& file);

}  // namespace peal::scene::gltf

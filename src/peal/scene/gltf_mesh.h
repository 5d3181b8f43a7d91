#pragma once

#include <peal/scene/gltf.h>
#include <peal/scene/gltf_document.h>

namespace peal::scene::gltf {

/// All meshes of the file in its order, with their morph targets. What is left out (points, lines,
/// triangles without area) is reported in the file's notices.
void read_meshes(Document& document, GltfFile& file);

/// A list of weights in the JSON, one for each morph target.
Weights read_weights(const Value& value, std::size_t targets);

}  // namespace peal::scene::gltf

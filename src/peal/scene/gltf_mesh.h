#pragma once

#include <peal/geometry/tri_mesh.h>
#include <peal/scene/gltf_document.h>

#include <string>
#include <vector>

namespace peal::scene::gltf {

/// All meshes of the file in its order. What is left out (points, lines, morph targets, triangles
/// without area) is told in `notices`.
std::vector<geometry::TriMesh> read_meshes(Document& document, std::vector<std::string>& notices);

}  // namespace peal::scene::gltf

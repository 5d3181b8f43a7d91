#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <filesystem>

namespace peal::scene {

/// The surface in a mesh file of any kind: OBJ, PLY, STL, or all meshes of a glTF file where its
/// nodes are at the start.
geometry::TriMesh load_mesh(const std::filesystem::path& path);

/// True for a glTF file that is a scene: it has `extras.peal` on its scene or on a node.
bool is_gltf_scene(const std::filesystem::path& path);

}  // namespace peal::scene

#include <peal/geometry/io/read_mesh.h>
#include <peal/scene/gltf.h>
#include <peal/scene/gltf_source.h>
#include <peal/scene/load_mesh.h>
#include <peal/util/error.h>

#include <algorithm>

namespace peal::scene {

namespace {

using geometry::Affine;
using geometry::Quat;
using geometry::TriMesh;

/// A node's transform at its first keys.
Affine first_transform(const AnimatedTransform& node) {
  Affine transform = Affine::Identity();
  if (!node.translation.empty()) transform.translate(node.translation.values.front());
  if (!node.rotation.empty()) transform.rotate(Quat(node.rotation.values.front()));
  if (!node.scale.empty()) transform.scale(node.scale.values.front());
  return transform;
}

TriMesh all_meshes(const GltfFile& file) {
  TriMesh all;
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    if (file.nodes[i].mesh < 0 || !file.nodes[i].in_scene) continue;
    Affine to_world = Affine::Identity();
    for (const AnimatedTransform& link : motion_of(file, static_cast<int>(i)).chain) {
      to_world = to_world * first_transform(link);
    }
    all = joined(all, transformed(mesh_of(file, static_cast<int>(i)), to_world));
  }
  return all;
}

bool has_peal(const nlohmann::json& extras) {
  return extras.is_object() && extras.contains("peal");
}

}  // namespace

TriMesh load_mesh(const std::filesystem::path& path) {
  if (!is_gltf_name(path.filename().string())) return geometry::read_mesh(path);
  TriMesh mesh = all_meshes(read_gltf(path));
  if (mesh.empty()) {
    throw util::InputError({path.string(), ""}, "its scene holds no triangles",
                           "Export the objects you want with their meshes.");
  }
  return mesh;
}

bool is_gltf_scene(const std::filesystem::path& path) {
  const GltfFile file = read_gltf(path);
  return has_peal(file.scene_extras) || std::ranges::any_of(file.nodes, [](const GltfNode& node) {
           return has_peal(node.extras);
         });
}

}  // namespace peal::scene

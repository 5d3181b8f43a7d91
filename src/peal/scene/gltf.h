#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/scene/animation.h>
#include <peal/scene/morph_targets.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// glTF 2.0 (.gltf, .glb): nodes with their motion, meshes, and what users wrote into `extras`.
/// docs/decisions/gltf-reader.md says why this is our own reader. Everything that Peal needs is
/// checked here; textures, images, lights and materials other than their names are not looked at.
namespace peal::scene {

struct GltfNode {
  std::string name;           ///< "" if the file gives none
  int parent = -1;            ///< index into GltfFile::nodes, -1 for a root
  std::vector<int> children;  ///< in the file's order
  bool in_scene = false;      ///< reached from the file's default scene
  /// Keys of all animations on one clock, over the node's own translation, rotation, scale.
  AnimatedTransform transform;
  int mesh = -1;  ///< index into GltfFile::meshes
  /// Index into GltfFile::skins: then the joints place the mesh, not this node.
  int skin = -1;
  /// Weights of the mesh's morph targets, fixed or keyed; empty: the mesh's own weights.
  Track<Weights> weights;
  bool camera = false;    ///< looks along its -Z
  nlohmann::json extras;  ///< null if there are none
  /// Names two animations that move this node differently; empty if there are none.
  std::string conflict;
};

/// Morph targets of a mesh.
struct GltfMorph {
  /// Displacement of each vertex of the mesh for a weight of 1, by target [m].
  std::vector<std::vector<geometry::Vec3>> displacements;
  Weights weights;  ///< unless a node says otherwise
};

/// A skeleton in the pose in which a mesh was bound to it.
struct GltfSkin {
  std::vector<int> joints;                     ///< indices into GltfFile::nodes
  std::vector<geometry::Affine> inverse_bind;  ///< one for each joint: from mesh to joint
};

struct GltfFile {
  std::string name;  ///< for messages: the path as the user gave it
  std::vector<GltfNode> nodes;
  /// In each mesh's own frame [m], without its morph targets; one group per material name; vertices
  /// welded where position, displacements and joint weights are exactly the same.
  std::vector<geometry::TriMesh> meshes;
  std::vector<GltfMorph> morphs;  ///< one for each mesh
  /// For each mesh the values at its vertices of attributes that users made: numbers whose names
  /// begin with an underscore. Not finite where a primitive has none.
  std::vector<std::map<std::string, std::vector<double>>> vertex_values;
  std::vector<JointWeights> joint_weights;  ///< one for each mesh; may have no entries for a vertex
  std::vector<GltfSkin> skins;
  nlohmann::json scene_extras;  ///< of the default scene
  nlohmann::json asset_extras;
  double duration = 0.0;  ///< time of the last key of any animation [s]
  double first_key = std::numeric_limits<double>::infinity();     ///< of any animation [s]
  double key_interval = std::numeric_limits<double>::infinity();  ///< shortest of any track [s]
  std::vector<std::string> notices;  ///< what the file holds that Peal leaves out
};

/// Reads the bytes of a .gltf or .glb. `name` is for messages. Buffers in files are looked for in
/// `base_dir` or below it, nowhere else; with an empty `base_dir` none is read.
GltfFile parse_gltf(std::string_view bytes, const std::string& name,
                    const std::filesystem::path& base_dir);
GltfFile read_gltf(const std::filesystem::path& path);

/// The node of this name. Throws InputError if there is none (with the nearest name) or several.
int find_node(const GltfFile& file, std::string_view name);

/// Transforms from the root down to the node; none for a skinned mesh, which its joints place.
/// Throws InputError if two animations contradict each other on the way.
MotionPath motion_of(const GltfFile& file, int node);

/// The node's mesh in its local frame (a skinned one: in the frame of the file), in its shape
/// before the first key. Throws InputError if it has none or one without triangles.
geometry::TriMesh mesh_of(const GltfFile& file, int node);

/// How the node's mesh changes its shape, on the file's clock; null if it does not. Throws
/// InputError if two animations contradict each other.
std::shared_ptr<const MorphTargets> morph_of(const GltfFile& file, int node);

/// A motion shifted to start `dt` seconds later.
MotionPath shifted(MotionPath path, double dt);

MorphTargets shifted(MorphTargets morph, double dt);

/// Time of the last key of any track of the path [s]; 0 if nothing is keyed.
double last_key(const MotionPath& path);

}  // namespace peal::scene

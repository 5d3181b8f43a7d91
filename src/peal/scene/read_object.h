#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

#include <map>
#include <string>
#include <vector>

namespace peal::scene {

/// Properties of an object or listener that its glTF node gives.
struct NodeDefaults {
  std::string name;
  std::shared_ptr<const geometry::TriMesh> mesh;      ///< null if it has none
  std::shared_ptr<const MorphTargets> morph_targets;  ///< null: no keyed shapes
  std::string mesh_source;
  std::map<std::string, std::vector<double>> vertex_values;  ///< as in GltfFile
  MotionPath motion;
};

/// `node`: the object sits in the extras of a glTF node, which gives its motion and, unless the
/// object names another, its mesh.
Object read_object(const util::JsonValue& value, std::size_t index, ReadContext& context,
                   const NodeDefaults* node = nullptr);
Listener read_listener(const util::JsonValue& value, std::size_t index, ReadContext& context,
                       const NodeDefaults* node = nullptr);

/// Reports keys that say where something is, if it sits in a node that says so already.
void refuse_keys_of_node(util::JsonObject& object, std::span<const std::string> keys);

/// Reads a name from the table, or numbers, or both: {"base": "steel", "density": 7700}.
Material read_material(const util::JsonValue& value);

/// Reads the `name` of an object or listener, or `fallback`. Output files are named after it.
std::string read_name(util::JsonObject& object, const std::string& fallback);

}  // namespace peal::scene

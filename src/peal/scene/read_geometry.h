#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// What an object looks like.
struct Geometry {
  std::shared_ptr<const geometry::TriMesh> mesh;  ///< null: it has no shape
  std::string source;                             ///< for people
  std::optional<MeshSequence> sequence;
};

/// The keys `mesh`, `mesh_sequence` or `shape`, and `scale`, of an object.
Geometry read_geometry(util::JsonObject& object, ReadContext& context);

/// "file.glb#node" -> "file.glb", "node".
struct NodeName {
  std::string file;
  std::string node;  ///< empty if there is no #
};
NodeName split_node_name(const std::string& text);

}  // namespace peal::scene

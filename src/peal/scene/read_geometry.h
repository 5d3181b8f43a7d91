#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// What an object looks like.
struct Geometry {
  std::shared_ptr<const geometry::TriMesh> mesh;  ///< null: it has no shape
  std::string source;                             ///< for people
  std::optional<MeshSequence> sequence;
  bool is_sheet = false;                              ///< open on purpose
  std::shared_ptr<const MorphTargets> morph_targets;  ///< null: no keyed shapes
  std::optional<IdealShape> ideal;
  std::shared_ptr<const base::ModalModel> modes;  ///< of a .modes file
  std::optional<CollisionShape> collision;
  std::optional<geometry::HexShape> hexahedra;
};

/// The keys `mesh`, `mesh_sequence` or `shape`, and `scale`, of an object.
Geometry read_geometry(util::JsonObject& object, ReadContext& context);

/// Puts the fixed scale of the object's motion into its mesh, since a pose has none. Reports at
/// `value` a motion whose scale changes.
void apply_motion_scale(Object& object, const util::JsonValue& value);

}  // namespace peal::scene

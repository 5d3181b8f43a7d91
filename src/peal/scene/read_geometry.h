#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// Shape of an object.
struct ObjectShape {
  std::shared_ptr<const geometry::TriMesh> mesh;  ///< null: it has no shape
  std::string source;                             ///< for people
  Geometry geometry;
  bool is_sheet = false;         ///< open on purpose
  bool has_stated_size = false;  ///< a shape in metres, or a scale
  std::optional<CollisionShape> collision;
  std::optional<geometry::HexShape> hexahedra;
};

/// Reads the keys `mesh`, `mesh_sequence`, `shape` or `liquid`, and `scale`, of an object.
ObjectShape read_geometry(util::JsonObject& object, ReadContext& context);

/// Puts the fixed scale of the object's motion into its mesh, since a pose has none. Reports at
/// `value` a motion whose scale changes.
void apply_motion_scale(Object& object, const util::JsonValue& value);

}  // namespace peal::scene

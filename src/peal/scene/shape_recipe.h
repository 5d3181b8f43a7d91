#pragma once

#include <peal/geometry/mesh/tri_mesh.h>
#include <peal/geometry/volume/hex_shapes.h>
#include <peal/scene/collision_shape.h>
#include <peal/scene/ideal_shape.h>
#include <peal/util/json_reader.h>

#include <functional>
#include <optional>
#include <string>

namespace peal::scene {

/// A shape that is known but not yet made.
struct ShapeRecipe {
  std::string source;    ///< for people
  double longest = 1.0;  ///< side of its bounding box [m]
  double area = 1.0;     ///< of its surface, about [m^2]
  std::function<geometry::TriMesh(double edge_length)> make;
  bool is_sheet = false;  ///< open on purpose
  std::optional<IdealShape> ideal = {};
  /// A fillet of 0 is that of the object.
  std::optional<CollisionShape> collision = {};
  std::optional<geometry::HexShape> hexahedra = {};
};

inline constexpr util::NumberRange shape_length = {.min = 1e-5, .max = 1e4, .unit = "m"};
inline constexpr std::size_t most_corners = 2000;

double read_length(util::JsonObject& keys, const char* key);
geometry::Polygon read_corners(const util::JsonValue& value, std::size_t least, const char* meaning,
                               double lowest);

// Ideal shapes: the values of the keys "string", "bar", "membrane" and "plate" of a shape.
ShapeRecipe read_string_shape(const util::JsonValue& value, util::JsonObject* keys);
ShapeRecipe read_bar_shape(const util::JsonValue& value, util::JsonObject* keys);
ShapeRecipe read_membrane_shape(const util::JsonValue& value, util::JsonObject* keys);
ShapeRecipe read_plate_shape(const util::JsonValue& value, util::JsonObject* keys);

}  // namespace peal::scene

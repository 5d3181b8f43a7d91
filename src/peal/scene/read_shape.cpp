#include <peal/geometry/shapes/revolve.h>
#include <peal/geometry/shapes/shapes.h>
#include <peal/scene/read_shape.h>
#include <peal/scene/shape_recipe.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace peal::scene {

using geometry::Polygon;
using geometry::TriMesh;
using geometry::Vec2;
using util::JsonObject;
using util::JsonValue;

namespace {

using std::numbers::pi;

using Recipe = ShapeRecipe;

/// `size` as a key, or the whole value in the short form.
std::vector<double> read_size(const JsonValue& value, JsonObject* keys, std::size_t count) {
  const char* meaning =
      count == 3 ? "three lengths [x, y, z] in metres" : "two lengths [x, z] in metres";
  if (keys == nullptr) return value.numbers(count, meaning, shape_length);
  const auto size =
      keys->require("size", count == 3 ? "\"size\": [1, 0.5, 2]" : "\"size\": [4, 3]");
  return size ? size->numbers(count, meaning, shape_length) : std::vector<double>(count, 1.0);
}

double box_area(const std::vector<double>& x) {
  return 2.0 * (x[0] * x[1] + x[1] * x[2] + x[2] * x[0]);
}

double read_radius(const JsonValue& value, JsonObject* keys) {
  return keys == nullptr ? value.number(shape_length) : read_length(*keys, "radius");
}

double longest_side(const Polygon& corners, double across, double along) {
  Eigen::AlignedBox2d box;
  for (const Vec2& corner : corners) box.extend(corner);
  if (box.isEmpty()) return 1.0;
  return std::max({across * box.max().x(), box.sizes().y(), along * box.sizes().x()});
}

double perimeter(const Polygon& corners) {
  double sum = 0.0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    sum += (corners[(i + 1) % corners.size()] - corners[i]).norm();
  }
  return sum;
}

/// Area of the surface of revolution of a profile.
double turned_area(const Polygon& profile) {
  double sum = 0.0;
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const Vec2 &a = profile[i], &b = profile[(i + 1) % profile.size()];
    sum += pi * (a.x() + b.x()) * (b - a).norm();
  }
  return sum;
}

/// A shape that others can touch.
Recipe colliding(Recipe recipe, std::optional<CollisionShape> shape) {
  recipe.collision = std::move(shape);
  return recipe;
}

/// A shape that can be cut into hexahedra.
Recipe of_hexahedra(Recipe recipe, geometry::HexShape shape) {
  recipe.hexahedra = std::move(shape);
  return recipe;
}

Recipe box(const JsonValue& value, JsonObject* keys) {
  const auto x = read_size(value, keys, 3);
  return of_hexahedra(colliding({fmt::format("box of {:g} x {:g} x {:g} m", x[0], x[1], x[2]),
                                 std::max({x[0], x[1], x[2]}), box_area(x),
                                 [=](double edge) {
                                   return geometry::box_mesh({x[0], x[1], x[2]}, edge);
                                 }},
                                BoxShape{{x[0], x[1], x[2]}, 0.0}),
                      geometry::HexBoxShape{{x[0], x[1], x[2]}});
}

Recipe rounded_box(const JsonValue& value, JsonObject* keys) {
  const auto x = read_size(value, keys, 3);
  const double radius = read_length(*keys, "radius");
  return colliding({fmt::format("rounded box of {:g} x {:g} x {:g} m", x[0], x[1], x[2]),
                    std::max({x[0], x[1], x[2]}), box_area(x),
                    [=](double edge) {
                      return geometry::rounded_box_mesh({x[0], x[1], x[2]}, radius, edge);
                    }},
                   BoxShape{{x[0], x[1], x[2]}, radius});
}

Recipe sphere(const JsonValue& value, JsonObject* keys) {
  const double radius = read_radius(value, keys);
  return colliding(
      {fmt::format("sphere of radius {:g} m", radius), 2.0 * radius, 4.0 * pi * radius * radius,
       [=](double edge) { return geometry::sphere_mesh(radius, edge); }},
      BallShape{radius});
}

TurnedShape frustum(double bottom, double top, double height) {
  const double y = 0.5 * height;
  Polygon section = {{0.0, -y}, {bottom, -y}};
  if (top > 0.0) section.push_back({top, y});
  section.push_back({0.0, y});
  return {section, 0.0};
}

/// Collision shape of a lathe; none if it cannot be made, which is reported when its mesh is made.
std::optional<CollisionShape> turned(const Polygon& profile, const std::optional<double>& wall) {
  try {
    Polygon section = wall ? geometry::wall_section(profile, *wall) : profile;
    if (section.size() > 1 && section.front() == section.back()) section.pop_back();
    return TurnedShape{section, 0.0};
  } catch (const std::invalid_argument&) {
    return {};
  }
}

Recipe cylinder(const JsonValue&, JsonObject* keys) {
  const double radius = read_length(*keys, "radius"), height = read_length(*keys, "height");
  Recipe recipe =
      colliding({fmt::format("cylinder of radius {:g} m, height {:g} m", radius, height),
                 std::max(2.0 * radius, height), 2.0 * pi * radius * (radius + height),
                 [=](double edge) { return geometry::cylinder_mesh(radius, height, edge); }},
                frustum(radius, radius, height));
  // A flat one is a disc with a wall as thick as it is high.
  if (height > 0.5 * radius) return recipe;
  const double y = -0.5 * height;
  return of_hexahedra(recipe, geometry::HexWallShape{{{0.0, y}, {radius, y}}, height});
}

Recipe cone(const JsonValue&, JsonObject* keys) {
  const double radius = read_length(*keys, "radius"), height = read_length(*keys, "height");
  const double top = keys->number("top_radius", {.min = 0, .max = 1e4, .unit = "m"}, 0.0);
  return colliding({fmt::format("cone of radius {:g} m, height {:g} m", radius, height),
                    std::max({2.0 * radius, 2.0 * top, height}),
                    2.0 * pi * std::max(radius, top) * (2.0 * std::max(radius, top) + height),
                    [=](double edge) { return geometry::cone_mesh(radius, top, height, edge); }},
                   frustum(radius, top, height));
}

Recipe torus(const JsonValue&, JsonObject* keys) {
  const double radius = read_length(*keys, "radius"), tube = read_length(*keys, "tube_radius");
  return {fmt::format("torus of radius {:g} m, tube radius {:g} m", radius, tube),
          2.0 * (radius + tube), 4.0 * pi * pi * radius * tube,
          [=](double edge) { return geometry::torus_mesh(radius, tube, edge); }};
}

Recipe plane(const JsonValue& value, JsonObject* keys) {
  const auto x = read_size(value, keys, 2);
  return colliding(
      {fmt::format("plane of {:g} x {:g} m", x[0], x[1]), std::max(x[0], x[1]), x[0] * x[1],
       [=](double edge) { return geometry::plane_mesh(x[0], x[1], edge); }, true},
      FloorShape{});
}

Recipe disc(const JsonValue& value, JsonObject* keys) {
  const double radius = read_radius(value, keys);
  return {fmt::format("disc of radius {:g} m", radius), 2.0 * radius, pi * radius * radius,
          [=](double edge) { return geometry::disc_mesh(radius, edge); }, true};
}

Recipe lathe(const JsonValue&, JsonObject* keys, bool is_middle) {
  const auto wall = keys->find("wall");
  const double thickness = wall ? wall->number(shape_length) : 0.0;
  Polygon profile;
  if (const auto list = keys->require("profile", "\"profile\": [[0, 0], [0.04, 0], [0.04, 0.1]]")) {
    profile = read_corners(*list, wall || is_middle ? 2 : 3,
                           "a list of points [distance from the axis, height]", 0.0);
  }
  if (is_middle && !wall) {
    return {fmt::format("turned sheet of {} points", profile.size()),
            longest_side(profile, 2.0, 0.0), turned_area(profile),
            [=](double edge) { return geometry::turned_sheet_mesh(profile, edge); }, true};
  }
  Recipe recipe =
      colliding({fmt::format("lathe of {} points", profile.size()), longest_side(profile, 2.0, 0.0),
                 (wall ? 2.0 : 1.0) * turned_area(profile),
                 [=, walled = wall.has_value()](double edge) {
                   return walled ? geometry::lathe_mesh(profile, thickness, edge)
                                 : geometry::lathe_mesh(profile, edge);
                 }},
                turned(profile, wall ? std::optional(thickness) : std::nullopt));
  if (!wall) return recipe;
  return of_hexahedra(recipe, geometry::HexWallShape{profile, thickness});
}

Recipe extrude(const JsonValue&, JsonObject* keys) {
  const double height = read_length(*keys, "height");
  Polygon outline;
  std::vector<Polygon> holes;
  if (const auto list = keys->require("outline", "\"outline\": [[0, 0], [1, 0], [0, 1]]")) {
    outline = read_corners(*list, 3, "a list of corners [x, z]", -1e4);
  }
  std::size_t corners = outline.size();
  if (const auto list = keys->find("holes")) {
    for (const JsonValue& hole : list->list(1, "a list of holes, each a list of corners [x, z]")) {
      if (corners <= most_corners) {
        holes.push_back(read_corners(hole, 3, "a list of corners [x, z]", -1e4));
        corners += holes.back().size();
      }
    }
    if (corners > most_corners) {
      list->report(fmt::format("more than {} corners in all", most_corners));
    }
  }
  double area = 2.0 * std::abs(geometry::signed_area(outline)) + height * perimeter(outline);
  for (const Polygon& hole : holes) area += height * perimeter(hole);
  Recipe recipe = {fmt::format("extrusion of {} corners by {:g} m", corners, height),
                   std::max(height, longest_side(outline, 0.0, 1.0)), area, [=](double edge) {
                     return geometry::extruded_mesh(outline, holes, height, edge);
                   }};
  return of_hexahedra(recipe, geometry::HexExtrusion{outline, holes, height});
}

Recipe solid_lathe(const JsonValue& value, JsonObject* keys) {
  return lathe(value, keys, false);
}
Recipe lathe_of_sheet(const JsonValue& value, JsonObject* keys) {
  return lathe(value, keys, true);
}

using ShapeReader = Recipe (*)(const JsonValue&, JsonObject*);

struct ShapeKind {
  ShapeReader read;
  /// JSON type of the short form, `object` if there is none.
  nlohmann::json::value_t short_form;
};

const std::map<std::string, ShapeKind>& shape_kinds() {
  using Type = nlohmann::json::value_t;
  static const std::map<std::string, ShapeKind> kinds = {
      {"box", {box, Type::array}},
      {"rounded_box", {rounded_box, Type::object}},
      {"sphere", {sphere, Type::number_float}},
      {"cylinder", {cylinder, Type::object}},
      {"cone", {cone, Type::object}},
      {"torus", {torus, Type::object}},
      {"plane", {plane, Type::array}},
      {"disc", {disc, Type::number_float}},
      {"lathe", {solid_lathe, Type::object}},
      {"extrude", {extrude, Type::object}},
      {"string", {read_string_shape, Type::object}},
      {"bar", {read_bar_shape, Type::object}},
      {"membrane", {read_membrane_shape, Type::object}},
      {"plate", {read_plate_shape, Type::object}}};
  return kinds;
}

bool is_short_form(const JsonValue& value, const ShapeKind& kind) {
  using Type = nlohmann::json::value_t;
  return kind.short_form == Type::array
             ? value.json().is_array()
             : kind.short_form == Type::number_float && value.json().is_number();
}

/// Makes the mesh; what the shape itself refuses is reported at its place.
std::shared_ptr<const TriMesh> make(const JsonValue& value, const Recipe& recipe,
                                    double edge_length, double scale, ReadContext& context) {
  const double e = edge_length;
  const double triangles = 3.0 * recipe.area / (e * e) + 50.0 * recipe.longest / e;
  if (triangles > static_cast<double>(context.left.triangles)) {
    value.report(
        fmt::format("an edge length of {:g} m would give about {:.2g} triangles", e, triangles),
        fmt::format("Use longer edges; the shapes of this scene may still have {}.",
                    context.left.triangles));
    return {};
  }
  try {
    TriMesh mesh = recipe.make(edge_length);
    context.left.triangles -= std::min(context.left.triangles, mesh.triangles.size());
    return std::make_shared<TriMesh>(
        geometry::transformed(std::move(mesh), geometry::Affine(Eigen::Scaling(scale))));
  } catch (const std::invalid_argument& error) {
    value.report(error.what());
    return {};
  }
}

CollisionShape scaled(CollisionShape shape, double scale) {
  if (auto* ball = std::get_if<BallShape>(&shape)) ball->radius *= scale;
  if (auto* box = std::get_if<BoxShape>(&shape)) box->size *= scale, box->fillet *= scale;
  if (auto* turned_shape = std::get_if<TurnedShape>(&shape)) {
    for (geometry::Vec2& corner : turned_shape->section) corner *= scale;
  }
  return shape;
}

geometry::HexShape scaled(geometry::HexShape shape, double scale) {
  if (auto* box = std::get_if<geometry::HexBoxShape>(&shape)) {
    box->size *= scale;
    box->centre *= scale;
  }
  if (auto* wall = std::get_if<geometry::HexWallShape>(&shape)) {
    for (Vec2& point : wall->profile) point *= scale;
    wall->wall *= scale;
  }
  if (auto* extrusion = std::get_if<geometry::HexExtrusion>(&shape)) {
    for (Vec2& corner : extrusion->outline) corner *= scale;
    for (auto& hole : extrusion->holes) {
      for (Vec2& corner : hole) corner *= scale;
    }
    extrusion->height *= scale;
  }
  return shape;
}

}  // namespace

double read_length(JsonObject& keys, const char* key) {
  return keys.required_number(key, shape_length, fmt::format("\"{}\": 0.1 in metres", key));
}

Polygon read_corners(const JsonValue& value, std::size_t least, const char* meaning,
                     double lowest) {
  Polygon corners;
  const auto list = value.list(least, meaning);
  if (list.size() > most_corners) {
    value.report(fmt::format("has {} corners", list.size()),
                 fmt::format("At most {} are allowed.", most_corners));
    return corners;
  }
  for (const JsonValue& item : list) {
    const auto x = item.numbers(2, "a point of two numbers in metres", {-1e4, 1e4, "m"});
    if (x[0] < lowest) {
      item.report(fmt::format("{:g} m is left of the axis", x[0]),
                  "A profile's points are [distance from the axis, height].");
    }
    corners.emplace_back(x[0], x[1]);
  }
  return corners;
}

ObjectShape read_shape(const JsonValue& value, double scale, bool is_middle, ReadContext& context) {
  const std::size_t problems = value.problems().count();
  JsonObject shape(value, "a shape");
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, kind] : shape_kinds()) list.push_back(name);
    return list;
  }();
  const auto choice = shape.one_of(names, "\"shape\": {\"sphere\": 0.05}");
  shape.finish();
  if (!choice) return {};

  const ShapeKind& kind = shape_kinds().at(choice->key);
  std::optional<JsonObject> keys;
  if (!is_short_form(choice->value, kind))
    keys.emplace(choice->value, "the sizes of a " + choice->key);
  const ShapeReader read = is_middle && choice->key == "lathe" ? lathe_of_sheet : kind.read;
  const Recipe recipe = read(choice->value, keys ? &*keys : nullptr);
  double edge_length = recipe.longest / 20.0;
  if (keys) {
    edge_length = keys->number("edge_length", {.min = 1e-6, .max = 1e4, .unit = "m"}, edge_length);
    keys->finish();
  }
  if (recipe.ideal && scale != 1.0) {
    choice->value.report("has its pitch from its size, which a scale would change",
                         "Give its sizes in metres and remove \"scale\".");
  }
  if (value.problems().count() != problems) return {};
  return {.mesh = make(choice->value, recipe, edge_length, scale, context),
          .source = recipe.source,
          .geometry = recipe.ideal ? Geometry(*recipe.ideal) : Geometry(StaticMesh{}),
          .is_sheet = recipe.is_sheet,
          .collision =
              recipe.collision ? std::optional(scaled(*recipe.collision, scale)) : std::nullopt,
          .hexahedra =
              recipe.hexahedra ? std::optional(scaled(*recipe.hexahedra, scale)) : std::nullopt};
}

}  // namespace peal::scene

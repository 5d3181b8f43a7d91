#include <peal/geometry/shapes/shapes.h>
#include <peal/scene/shape_recipe.h>

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace peal::scene {

using geometry::TriMesh;
using util::JsonObject;
using util::JsonValue;

namespace {

constexpr util::NumberRange tension_range = {.min = 0, .max = 1e7, .unit = "N", .above_min = true};
constexpr util::NumberRange sheet_tension_range = {
    .min = 0, .max = 1e7, .unit = "N/m", .above_min = true};

/// A word for all ends or edges, or a list of `count` words.
template <std::size_t count>
std::array<std::size_t, count> read_joints(JsonObject& keys, const char* key,
                                           const std::vector<std::string>& words,
                                           const char* meaning) {
  std::array<std::size_t, count> holds = {};
  const auto value = keys.find(key);
  if (!value) return holds;
  const auto number = [&](const JsonValue& item) {
    const std::string word = item.word(words);
    return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin()) % words.size();
  };
  if (value->json().is_string()) {
    holds.fill(number(*value));
    return holds;
  }
  const auto list = value->list(count, meaning);
  if (list.size() != count) {
    if (list.size() > count) value->report_kind(meaning, meaning);
    return holds;
  }
  std::ranges::transform(list, holds.begin(), number);
  return holds;
}

/// Lies along X.
TriMesh along_x(TriMesh mesh) {
  const Eigen::AngleAxisd turn(-0.5 * std::numbers::pi, geometry::Vec3::UnitZ());
  return geometry::transformed(std::move(mesh), geometry::Affine(turn));
}

struct SheetOutline {
  Outline outline;
  std::string words;
  double longest = 1.0, area = 1.0;  ///< [m], [m^2]
  std::function<TriMesh(double edge_length)> make;
  std::vector<geometry::Polygon> holes = {};
};

/// Holes of a polygon, clockwise.
std::vector<geometry::Polygon> read_holes(JsonObject& keys, std::size_t corners) {
  std::vector<geometry::Polygon> holes;
  const auto list = keys.find("holes");
  if (!list) return holes;
  for (const JsonValue& hole : list->list(1, "a list of holes, each a list of corners [x, z]")) {
    holes.push_back(read_corners(hole, 3, "a list of corners [x, z]", -1e4));
    if (geometry::signed_area(holes.back()) > 0.0) std::ranges::reverse(holes.back());
    corners += holes.back().size();
    if (corners > most_corners) {
      list->report(fmt::format("more than {} corners in all", most_corners));
      return {};
    }
  }
  return holes;
}

SheetOutline read_outline(JsonObject& keys, bool polygons) {
  static const std::vector<std::string> plain = {"size", "radius"};
  static const std::vector<std::string> all = {"size", "radius", "outline"};
  const auto kind = keys.one_of(polygons ? all : plain, "\"size\": [0.4, 0.3] in metres");
  if (!kind) return {};
  if (kind->key == "size") {
    const auto x = kind->value.numbers(2, "two lengths [x, z] in metres", shape_length);
    return {Rectangle{{x[0], x[1]}}, fmt::format("{:g} x {:g} m", x[0], x[1]), std::max(x[0], x[1]),
            x[0] * x[1], [=](double edge) { return geometry::plane_mesh(x[0], x[1], edge); }};
  }
  if (kind->key == "radius") {
    const double radius = kind->value.number(shape_length);
    return {Disc{radius}, fmt::format("radius {:g} m", radius), 2.0 * radius,
            std::numbers::pi * radius * radius,
            [=](double edge) { return geometry::disc_mesh(radius, edge); }};
  }
  geometry::Polygon corners = read_corners(kind->value, 3, "a list of corners [x, z]", -1e4);
  if (geometry::signed_area(corners) < 0.0) std::ranges::reverse(corners);
  Eigen::AlignedBox2d box;
  for (const Vec2& corner : corners) box.extend(corner);
  const std::vector<geometry::Polygon> holes = read_holes(keys, corners.size());
  return {corners,
          fmt::format("{} corners{}", corners.size(),
                      holes.empty() ? "" : fmt::format(" and {} holes", holes.size())),
          box.isEmpty() ? 1.0 : box.sizes().maxCoeff(),
          std::abs(geometry::signed_area(corners)),
          [=](double edge) { return geometry::polygon_mesh(corners, holes, edge); },
          holes};
}

}  // namespace

ShapeRecipe read_string_shape(const JsonValue&, JsonObject* keys) {
  IdealString string;
  string.length = read_length(*keys, "length");
  string.radius = read_length(*keys, "radius");
  string.tension = keys->required_number("tension", tension_range, "\"tension\": 70 in newtons");
  if (const auto stiff = keys->find("stiff")) string.is_stiff = stiff->boolean();
  return {.source = fmt::format("string of {:g} m, radius {:g} m, at {:g} N", string.length,
                                string.radius, string.tension),
          .longest = std::max(string.length, 2.0 * string.radius),
          .area = 2.0 * std::numbers::pi * string.radius * (string.length + string.radius),
          .make =
              [=](double edge) {
                return along_x(geometry::cylinder_mesh(string.radius, string.length, edge));
              },
          .ideal = string};
}

ShapeRecipe read_bar_shape(const JsonValue&, JsonObject* keys) {
  IdealBar bar;
  bar.length = read_length(*keys, "length");
  bar.width = read_length(*keys, "width");
  bar.thickness = read_length(*keys, "thickness");
  static const std::vector<std::string> words = {"free", "clamped", "pinned", "sliding"};
  const auto ends = read_joints<2>(*keys, "ends", words, "two ends, [\"clamped\", \"free\"]");
  bar.left = static_cast<BarEnd>(ends[0]);
  bar.right = static_cast<BarEnd>(ends[1]);
  const double l = bar.length, w = bar.width, t = bar.thickness;
  return {.source = fmt::format("bar of {:g} x {:g} x {:g} m, {} and {}", l, t, w, words[ends[0]],
                                words[ends[1]]),
          .longest = std::max({l, w, t}),
          .area = 2.0 * (l * w + w * t + t * l),
          .make =
              [=](double edge) {
                return geometry::box_mesh({l, t, w}, edge);
              },
          .ideal = bar};
}

ShapeRecipe read_membrane_shape(const JsonValue&, JsonObject* keys) {
  const SheetOutline sheet = read_outline(*keys, true);
  IdealMembrane membrane{.outline = sheet.outline, .holes = sheet.holes};
  membrane.thickness = read_length(*keys, "thickness");
  membrane.tension = keys->required_number("tension", sheet_tension_range,
                                           "\"tension\": 3000 in newtons per metre");
  return {.source = fmt::format("membrane of {}, at {:g} N/m", sheet.words, membrane.tension),
          .longest = sheet.longest,
          .area = sheet.area,
          .make = sheet.make,
          .is_sheet = true,
          .ideal = membrane};
}

ShapeRecipe read_plate_shape(const JsonValue&, JsonObject* keys) {
  static const std::vector<std::string> words = {"free", "clamped", "supported"};
  const SheetOutline sheet = read_outline(*keys, false);
  IdealPlate plate;
  plate.thickness = read_length(*keys, "thickness");
  const auto take = [&](const auto& edges) {
    for (std::size_t i = 0; i < edges.size(); ++i)
      plate.edges[i] = static_cast<PlateEdge>(edges[i]);
  };
  if (const auto* disc = std::get_if<Disc>(&sheet.outline)) {
    plate.outline = *disc;
    if (const auto edge = keys->find("edges"); edge && !edge->json().is_string()) {
      edge->report("a round plate has one edge", "Give a word: \"edges\": \"clamped\".");
    } else {
      take(read_joints<1>(*keys, "edges", words, "a word"));
    }
  } else {
    if (const auto* rectangle = std::get_if<Rectangle>(&sheet.outline)) plate.outline = *rectangle;
    take(read_joints<4>(*keys, "edges", words,
                        "a word, or four words for low x, high x, low z and high z"));
  }
  return {.source = fmt::format("plate of {}, {:g} m thick", sheet.words, plate.thickness),
          .longest = sheet.longest,
          .area = sheet.area,
          .make = sheet.make,
          .is_sheet = true,
          .ideal = plate};
}

}  // namespace peal::scene

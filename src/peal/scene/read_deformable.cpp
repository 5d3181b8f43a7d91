#include <peal/scene/read_deformable.h>
#include <peal/scene/read_dynamics.h>
#include <peal/scene/read_motion.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

constexpr double face_depth = 1e-6;  ///< of a face's region, relative to the size of the body

/// The region at one side of a body's bounding box: "-x", ..., "+z".
geometry::Box face_region(const std::string& face, const geometry::TriMesh& mesh) {
  const geometry::Box bounds = geometry::bounds(mesh);
  const double depth = face_depth * bounds.diagonal().norm();
  geometry::Box box(bounds.min().array() - depth, bounds.max().array() + depth);
  const int axis = face[1] - 'x';
  if (face[0] == '-') {
    box.max()[axis] = bounds.min()[axis] + depth;
  } else {
    box.min()[axis] = bounds.max()[axis] - depth;
  }
  return box;
}

/// "-x" or {"box": {...}}.
geometry::Box read_region(const JsonValue& value, const Object& object) {
  static const std::vector<std::string> faces = {"-x", "+x", "-y", "+y", "-z", "+z"};
  if (value.json().is_string()) {
    const std::string face = value.word(faces);
    const bool known = std::ranges::find(faces, face) != faces.end();
    return known && object.mesh ? face_region(face, *object.mesh) : geometry::Box();
  }
  JsonObject keys(value, "a face, such as \"-x\", or {\"box\": {\"min\": ..., \"max\": ...}}");
  const auto box = keys.require("box", "{\"box\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}}");
  const geometry::Box region = box ? read_box(*box) : geometry::Box();
  keys.finish();
  return region;
}

ConstrainedRegion read_grip(const JsonValue& value, const Object& object, ReadContext& context) {
  JsonObject keys(value, "a grip");
  ConstrainedRegion grip{.location = value.path()};
  if (const auto region = keys.require("region", "\"region\": \"-x\"")) {
    grip.box = read_region(*region, object);
  }
  static const std::vector<std::string> kinds = {"motion", "surface"};
  if (const auto kind = keys.one_of(kinds, "\"motion\": {\"keyframes\": [...]}")) {
    if (kind->key == "motion") {
      grip.motion = read_motion(kind->value, context);
    } else {
      grip.surface = kind->value.text("the name of an object whose surface moves as prescribed");
    }
  }
  keys.finish();
  return grip;
}

SoftRegion read_support(const JsonValue& value, const Object& object) {
  JsonObject keys(value, "a soft support");
  SoftRegion support{.location = value.path()};
  if (const auto region = keys.require("region", "\"region\": {\"box\": ...}"))
    support.box = read_region(*region, object);
  support.stiffness = keys.required_number("stiffness", {.min = 0.0, .max = 1e9, .unit = "N/m"},
                                           "\"stiffness\": 2000 in newtons per metre");
  support.damping =
      keys.number("damping", {.min = 0.0, .max = 1e6, .unit = "N s/m"}, support.damping);
  keys.finish();
  return support;
}

std::array<int, 3> read_divisions(const JsonValue& value) {
  const auto list = value.list(3, "three whole numbers, elements along x, y and z");
  std::array<int, 3> divisions{1, 1, 1};
  if (list.size() > 3) value.report_kind("three whole numbers", "[15, 1, 2]");
  for (std::size_t i = 0; i < std::min<std::size_t>(3, list.size()); ++i) {
    divisions[i] = static_cast<int>(list[i].integer(1, 10000));
  }
  return divisions;
}

}  // namespace

void read_deformable(const JsonValue& value, Object& object, ReadContext& context) {
  JsonObject keys(value, "the settings of a deformable body");
  Deformable body;
  object.path.chain.push_back(read_pose(keys));
  body.velocity = read_velocity(keys);
  body.angular_velocity = read_angular_velocity(keys);
  if (const auto word = keys.find("elements")) {
    static const std::vector<std::string> known = {"automatic", "hexahedra", "quadratic_tetrahedra",
                                                   "tetrahedra", "shells"};
    const auto found = std::ranges::find(known, word->word(known));
    if (found != known.end())
      body.elements = static_cast<Deformable::Elements>(found - known.begin());
  }
  static const std::vector<std::string> sizes = {"divisions", "element_size"};
  if (const auto size = keys.one_of(sizes, "")) {
    if (size->key == "divisions") {
      body.divisions = read_divisions(size->value);
    } else {
      body.element_size = size->value.number({.min = 1e-5, .max = 1e3, .unit = "m"});
    }
  }
  if (const auto step = keys.find("step")) {
    body.step = step->number({.min = 1e-9, .max = 1e-4, .unit = "s"});
  }
  if (const auto pinned = keys.find("pinned")) {
    for (const JsonValue& item : pinned->list(0, "a list of regions that stay where they are")) {
      body.held.push_back(
          {.box = read_region(item, object), .motion = {}, .surface = {}, .location = item.path()});
    }
  }
  if (const auto grips = keys.find("grips")) {
    for (const JsonValue& item : grips->list(0, "a list of regions that are moved")) {
      body.held.push_back(read_grip(item, object, context));
    }
  }
  if (const auto supports = keys.find("supports")) {
    for (const JsonValue& item : supports->list(0, "a list of regions that lie on springs"))
      body.supports.push_back(read_support(item, object));
  }
  body.self_contact = keys.boolean("self_contact", body.self_contact);
  body.air_loss = keys.boolean("air_loss", body.air_loss);
  if (const auto settle = keys.find("settle")) {
    body.settle = settle->number({.min = 0.0, .max = 1e3, .unit = "s"});
  }
  keys.finish();
  object.motion = std::move(body);
}

void check_deformable(const Object& object, bool shape_is_given, const JsonValue& motion) {
  const bool has_volume =
      object.mesh && !object.is_sheet && std::holds_alternative<StaticMesh>(object.geometry);
  if (!has_volume && !object.shell && (object.mesh || !shape_is_given)) {
    motion.report(shape_is_given ? "a surface without an inside cannot be deformable"
                                 : "a deformable body needs a shape",
                  "Give it a \"thickness\", a closed mesh, or a built-in solid.");
  }
  if (!object.material) {
    motion.report("a deformable body needs a material", "For example: \"material\": \"steel\"");
  }
}

}  // namespace peal::scene

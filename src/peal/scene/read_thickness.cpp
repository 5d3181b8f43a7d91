#include <peal/geometry/io/read_ply.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/scene/gltf_source.h>
#include <peal/scene/read_thickness.h>
#include <peal/util/files.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace peal::scene {

using geometry::Vec2;
using geometry::Vec3;
using util::JsonObject;
using util::JsonValue;

namespace {

constexpr util::NumberRange wall_range = {.min = 1e-6, .max = 1.0, .unit = "m"};

bool is_ply(const std::string& name) {
  std::string extension = std::filesystem::path(name).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension == ".ply";
}

/// Values of an attribute at the vertices of the file, or nothing after a report.
std::vector<double> attribute_values(const JsonValue& value, const std::string& name,
                                     JsonObject& keys,
                                     const std::map<std::string, std::vector<double>>& of_node,
                                     ReadContext& context) {
  const auto in = [&](const std::map<std::string, std::vector<double>>& all) {
    std::vector<std::string> known;
    for (const auto& one : all) known.push_back(one.first);
    const auto found = all.find(name);
    if (found != all.end()) return found->second;
    std::string list;
    for (const std::string& one : known) list += (list.empty() ? "" : ", ") + one;
    value.report(fmt::format("the mesh has no attribute \"{}\"", name),
                 known.empty() ? "In glTF, names of own attributes begin with _; each is a number."
                               : "It has " + list + ".");
    return std::vector<double>();
  };
  const auto mesh = keys.find("mesh");
  if (!mesh) {
    if (!keys.has("shape")) return in(of_node);
    value.report("a built-in shape has no attributes", "Give one \"thickness\", or a \"profile\".");
    return {};
  }
  if (!mesh->json().is_string()) return {};
  const auto file_name = mesh->json().get<std::string>();
  try {
    if (is_gltf_name(file_name)) {
      const auto source = find_gltf_source(*mesh, context);
      if (!source) return {};
      const int number = source->file->nodes[static_cast<std::size_t>(source->node)].mesh;
      if (number < 0) return {};
      return in(source->file->vertex_values[static_cast<std::size_t>(number)]);
    }
    if (is_ply(file_name)) {
      const std::filesystem::path path = existing_file(*mesh, file_name, context);
      if (path.empty()) return {};
      const util::FileBytes bytes = util::read_bytes(path);
      return geometry::parse_ply_values(bytes.view(), name, path.string());
    }
    value.report("meshes of this format have no attributes", "Use a .ply, .gltf or .glb file.");
  } catch (const util::InputError& error) {
    value.report(error);
  }
  return {};
}

/// [distance from the axis, thickness], ascending.
std::vector<Vec2> read_wall_profile(const JsonValue& value) {
  std::vector<Vec2> profile;
  for (const JsonValue& item : value.list(2, "a list of points [distance from Y, thickness]")) {
    const auto x = item.numbers(2, "two lengths in metres", {.min = 0.0, .max = 1e4, .unit = "m"});
    if (!profile.empty() && !(x[0] > profile.back().x())) {
      item.report(fmt::format("{:g} m is not beyond {:g} m", x[0], profile.back().x()),
                  "Order the points by their distance from the axis.");
    }
    if (x[1] < wall_range.min || x[1] > wall_range.max) {
      item.report(
          fmt::format("a thickness of {:g} m", x[1]),
          fmt::format("It must be between {:g} and {:g} m.", wall_range.min, wall_range.max));
    }
    profile.emplace_back(x[0], x[1]);
  }
  return profile;
}

double at_radius(const std::vector<Vec2>& profile, double radius) {
  if (radius <= profile.front().x()) return profile.front().y();
  for (std::size_t i = 1; i < profile.size(); ++i) {
    if (radius > profile[i].x()) continue;
    const double part = (radius - profile[i - 1].x()) / (profile[i].x() - profile[i - 1].x());
    return profile[i - 1].y() + part * (profile[i].y() - profile[i - 1].y());
  }
  return profile.back().y();
}

/// The thickness of each vertex, or nothing after a report.
std::vector<double> thickness_of(const JsonValue& value, JsonObject& keys,
                                 const std::map<std::string, std::vector<double>>& of_node,
                                 const Object& object, ReadContext& context) {
  const std::vector<Vec3>& vertices = object.mesh->vertices;
  if (value.json().is_number())
    return std::vector<double>(vertices.size(), value.number(wall_range));
  JsonObject choice(value, "a thickness in metres, {\"attribute\": ...} or {\"profile\": ...}");
  static const std::vector<std::string> kinds = {"attribute", "profile"};
  const auto kind = choice.one_of(kinds, "\"thickness\": 0.001");
  choice.finish();
  if (!kind) return {};
  std::vector<double> thickness;
  if (kind->key == "profile") {
    const std::vector<Vec2> profile = read_wall_profile(kind->value);
    if (profile.size() < 2) return {};
    for (const Vec3& v : vertices)
      thickness.push_back(at_radius(profile, std::hypot(v.x(), v.z())));
    return thickness;
  }
  const std::string name = kind->value.text("the name of an attribute");
  if (name.empty()) return {};
  thickness = attribute_values(kind->value, name, keys, of_node, context);
  const auto scale = keys.find("scale");
  const double factor = scale && scale->json().is_number() ? scale->json().get<double>() : 1.0;
  for (double& one : thickness) one *= factor;
  if (thickness.empty()) return {};
  if (thickness.size() != vertices.size()) {
    kind->value.report(
        fmt::format("has {} values for {} vertices", thickness.size(), vertices.size()),
        "Export the mesh again.");
    return {};
  }
  for (std::size_t v = 0; v < thickness.size(); ++v) {
    if (thickness[v] >= wall_range.min && thickness[v] <= wall_range.max) continue;
    kind->value.report(
        std::isfinite(thickness[v])
            ? fmt::format("is {:g} m at vertex {}, near ({:.4g}, {:.4g}, {:.4g})", thickness[v], v,
                          vertices[v].x(), vertices[v].y(), vertices[v].z())
            : fmt::format("has no value at vertex {}", v),
        fmt::format("A thickness is between {:g} and {:g} m; \"scale\" applies to it as to "
                    "coordinates.",
                    wall_range.min, wall_range.max));
    return {};
  }
  return thickness;
}

/// Why the surface of an object cannot have a thickness; empty if it can.
std::string reason_against(const Object& object) {
  if (!object.mesh) return "there is no surface that could have a thickness";
  if (object.ideal_shape() != nullptr) return "an ideal shape has its own thickness";
  if (object.modal_body() != nullptr) return "a .modes file is of a body that has its thickness";
  if (object.has_keyed_shape()) return "a surface whose motion is prescribed needs no thickness";
  return {};
}

/// "lathe" with a "wall".
bool has_wall(JsonObject& keys) {
  const auto shape = keys.find("shape");
  if (!shape || !shape->json().is_object() || !shape->json().contains("lathe")) return false;
  const auto& lathe = shape->json()["lathe"];
  return lathe.is_object() && lathe.contains("wall");
}

}  // namespace

std::vector<std::string> make_shell(Object& object, const std::vector<double>& thickness) {
  geometry::RepairedShell repaired = geometry::repaired_shell(*object.mesh, thickness);
  object.mesh = std::make_shared<const geometry::TriMesh>(geometry::solid_of(repaired.shell));
  object.shell = std::make_shared<const geometry::ShellMesh>(std::move(repaired.shell));
  object.is_sheet = false;
  object.collision_shape.reset();
  object.hexahedra.reset();
  return std::move(repaired.repairs);
}

void read_thickness(JsonObject& keys,
                    const std::map<std::string, std::vector<double>>& vertex_values, Object& object,
                    ReadContext& context) {
  const auto value = keys.find("thickness");
  if (!value) return;
  const std::size_t problems = value->problems().count();
  if (has_wall(keys)) {
    value->report("the lathe has a \"wall\" already", "Remove one of them.");
    return;
  }
  if (const std::string reason = reason_against(object); !reason.empty()) {
    // A mesh that could not be read has been reported.
    if (object.mesh || !(keys.has("mesh") || keys.has("shape") || keys.has("mesh_sequence")))
      value->report(reason, "Remove \"thickness\".");
    return;
  }
  const std::vector<double> thickness = thickness_of(*value, keys, vertex_values, object, context);
  if (thickness.empty() || value->problems().count() != problems) return;
  try {
    for (const std::string& repair : make_shell(object, thickness))
      context.notices.push_back(fmt::format("\"{}\": {}", object.name, repair));
    object.mesh_source +=
        value->json().is_number()
            ? fmt::format(", {:g} mm thick", 1e3 * value->json().get<double>())
            : fmt::format(", {:g} to {:g} mm thick", 1e3 * *std::ranges::min_element(thickness),
                          1e3 * *std::ranges::max_element(thickness));
  } catch (const std::invalid_argument& error) {
    value->report(error.what(),
                  "`peal inspect` shows the problems of a mesh. Make the sheet thinner, or repair "
                  "it there; where sheets meet, make an object of each.");
  }
}

}  // namespace peal::scene

#include "body.h"

#include <peal/base/plausible_size.h>
#include <peal/geometry/repair/thick_sheet.h>
#include <peal/scene/read_scene.h>
#include <peal/util/files.h>
#include <peal/util/json.h>
#include <peal/util/problems.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

#include "number_between.h"

namespace peal::apps {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t largest_shape_file = std::size_t{1} << 20;  // [bytes]

/// Which option says what stands at a place of the scene; longer places first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> option_of_place = {{
    {"objects[0].material.density", "--density"},
    {"objects[0].material.young_modulus", "--young-modulus"},
    {"objects[0].material.poisson_ratio", "--poisson-ratio"},
    {"objects[0].material", "--material"},
    {"objects[0].shape", "--shape"},
    {"objects[0].mesh", "MESH"},
    {"objects[0].scale", "--scale"},
    {"objects[0].sound[0].modal.max_frequency", "--max-frequency"},
    {"objects[0].strikes[0].at", "--at"},
    {"objects[0].strikes[0].force.impulse", "--impulse"},
    {"objects[0].strikes[0].force.contact_time", "--contact-time"},
    {"objects[0].strikes[0].force.direction", "--direction"},
    {"radiation.max_frequency", "--max-frequency"},
    {"radiation", "--radiation"},
}};

util::InputError reported_for_option(const util::InputError& error) {
  const std::string& at = error.location().at;
  for (const auto& [place, option] : option_of_place) {
    if (at.starts_with(place)) {
      return {{"", std::string(option) + at.substr(place.size())}, error.problem(), error.hint()};
    }
  }
  return error;
}

bool is_json(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

Json shape_of(const std::string& text) {
  return is_json(text) ? util::parse_json(text, "--shape")
                       : util::parse_json(util::read_file(text, largest_shape_file), text);
}

/// Null if nothing is said.
Json material_of(const BodyArguments& arguments) {
  Json material;
  if (is_json(arguments.material)) {
    material = util::parse_json(arguments.material, "--material");
  } else if (!arguments.material.empty()) {
    material = {{"base", arguments.material}};
  }
  if (arguments.density) material["density"] = *arguments.density;
  if (arguments.young_modulus) material["young_modulus"] = *arguments.young_modulus;
  if (arguments.poisson_ratio) material["poisson_ratio"] = *arguments.poisson_ratio;
  return material;
}

/// Makes a solid of an open sheet.
void thicken(const BodyArguments& arguments, scene::Object& object) try {
  if (!object.mesh || object.modal_body() != nullptr) return;
  object.mesh = std::make_shared<const geometry::TriMesh>(
      geometry::thick_sheet(*object.mesh, *arguments.thickness));
} catch (const std::invalid_argument& error) {
  throw util::InputError({arguments.file, "--thickness"}, error.what(),
                         "Use a smaller thickness, or a closed mesh without --thickness.");
}

/// Says what is odd about the size of a mesh, and refuses one that is certainly wrong: before any
/// work is done on it.
void question_size(const BodyArguments& arguments, scene::Scene& scene) {
  const scene::Object& object = scene.objects.front();
  if (!object.mesh || !object.material || object.modal_body() != nullptr) return;
  const base::SizeCheck size = base::check_size(*object.mesh, object.material->density);
  if (size.is_plausible) return;
  if (size.factors.empty()) {
    scene.notices.push_back(size.describe() + ": an unusual size for a body that rings");
    return;
  }
  const std::string problem = fmt::format("{}: {}", size.describe(), size.question());
  const std::string hint =
      fmt::format("Give --scale {:g}, or --scale 1 if its size is right.", size.factors.front());
  if (size.is_wrong) throw util::InputError({arguments.file, ""}, problem, hint);
  scene.notices.push_back(problem + " " + hint);
}

}  // namespace

void add_body_options(CLI::App& verb, BodyArguments& arguments) {
  CLI::Option* file = verb.add_option(
      "MESH", arguments.file,
      "Closed surface: .obj, .ply, .stl, .gltf or .glb; or a .modes file, which needs no material");
  verb.add_option("--shape", arguments.shape,
                  "Use a shape as in a scene instead of a mesh; JSON or a file:\n"
                  "'{\"bar\": {\"length\": 0.3, \"width\": 0.03, \"thickness\": 0.01}}'")
      ->type_name("JSON")
      ->excludes(file);
  verb.add_option("--material", arguments.material,
                  "Material: a name, such as steel, or JSON as in a scene");
  verb.add_option("--density", arguments.density, "Overrides the material's [kg/m3]")
      ->check(finite_number());
  verb.add_option("--young-modulus", arguments.young_modulus, "Overrides the material's [Pa]")
      ->check(finite_number());
  verb.add_option("--poisson-ratio", arguments.poisson_ratio, "Overrides the material's [1]")
      ->check(finite_number());
  verb.add_option("--thickness", arguments.thickness,
                  "Thickness of an open sheet [m]; the mesh is its middle surface")
      ->check(number_between(1e-6, 1.0))
      ->excludes("--shape");
  verb.add_option("--scale", arguments.scale,
                  "Metres per unit of the file: 0.001 for mm; 1 accepts an unusual size")
      ->check(finite_number());
}

geometry::TriMesh shown_surface(const BodyArguments& arguments, const scene::Object& object) {
  const double longest = geometry::bounds(*object.mesh).sizes().maxCoeff();
  Json shape = shape_of(arguments.shape);
  Json& sizes = shape.begin().value();
  if (!sizes.contains("edge_length")) sizes["edge_length"] = longest / 80.0;
  if (const auto* string = std::get_if<scene::IdealString>(object.ideal_shape()))
    sizes["radius"] = std::max(string->radius, longest / 150.0);
  BodyArguments shown = arguments;
  shown.shape = shape.dump();
  return *body_scene(shown).objects.front().mesh;
}

scene::Scene body_scene(const BodyArguments& arguments, Json object, const Json& settings) {
  fs::path folder = ".";
  if (!arguments.shape.empty()) {
    object["name"] = "shape";
    object["shape"] = shape_of(arguments.shape);
  } else if (!arguments.file.empty()) {
    const fs::path path = fs::absolute(arguments.file).lexically_normal();
    folder = path.parent_path();
    object["name"] = path.stem().string();
    object["mesh"] = path.filename().string();
  } else {
    throw CLI::RequiredError("MESH or --shape");
  }
  object["scale"] = arguments.scale.value_or(1.0);  // stated: it is questioned here
  const Json material = material_of(arguments);
  if (!material.is_null()) {
    object["material"] = material;
  } else if (fs::path(arguments.file).extension() != ".modes") {
    throw util::InputError({"", "--material"}, "the body has no material",
                           "Name one (--material steel), or give --density, --young-modulus and "
                           "--poisson-ratio.");
  }
  Json scene{{"peal", 1}, {"duration", 1}, {"objects", {object}}, {"listeners", Json::array()}};
  scene["listeners"].push_back({{"mono", Json::object()}});
  scene.update(settings);
  try {
    scene::Scene read = scene::parse_scene(scene.dump(), "command line", folder);
    if (arguments.thickness) thicken(arguments, read.objects.front());
    if (!arguments.scale && arguments.shape.empty()) question_size(arguments, read);
    return read;
  } catch (const util::InputErrors& errors) {
    std::vector<util::InputError> all;
    for (const util::InputError& error : errors.all()) all.push_back(reported_for_option(error));
    throw util::InputErrors("", all.size(), all);
  } catch (const util::InputError& error) {
    throw reported_for_option(error);
  }
}

}  // namespace peal::apps

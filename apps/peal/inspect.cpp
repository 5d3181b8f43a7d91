#include <peal/base/medium.h>
#include <peal/base/plausible_size.h>
#include <peal/base/wave_settings.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/geometry/mesh/mass_properties.h>
#include <peal/geometry/repair/mesh_check.h>
#include <peal/geometry/repair/shell_repair.h>
#include <peal/render/cost.h>
#include <peal/render/in_file.h>
#include <peal/render/settle_surface.h>
#include <peal/scene/body_mass.h>
#include <peal/scene/describe.h>
#include <peal/scene/load_mesh.h>
#include <peal/scene/read_scene.h>
#include <peal/shaders/speaker_patch.h>
#include <peal/simulate/move_scene.h>
#include <peal/util/error.h>
#include <peal/util/nearest_word.h>
#include <peal/util/parallel.h>
#include <peal/vibration/band_limit.h>
#include <peal/wave/driver/wave_device.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "device_option.h"
#include "inspect_nodes.h"
#include "number_between.h"
#include "verbs.h"

namespace peal::apps {

namespace {

using Json = nlohmann::ordered_json;
using geometry::Vec3;

struct InspectArguments {
  std::filesystem::path file;
  std::string material;
  std::optional<double> thickness;  ///< [m]
  bool no_cost = false;
  std::string device = "auto";
  bool simulate = false;
};

Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

/// For people: what rounding left of a zero is shown as zero.
std::string text(const Json& vector, double scale = 1.0) {
  const auto number = [&](int i) {
    const double value = scale * vector[i].get<double>();
    return std::abs(value) < 1e-12 ? 0.0 : value;
  };
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", number(0), number(1), number(2));
}

std::string_view severity_name(geometry::Severity severity) {
  switch (severity) {
    case geometry::Severity::error:
      return "error";
    case geometry::Severity::warning:
      return "warning";
    case geometry::Severity::info:
      return "info";
  }
  return "info";
}

Json describe_problem(const geometry::MeshProblem& problem) {
  Json examples = Json::array();
  for (const Vec3& place : problem.examples) examples.push_back(to_json(place));
  return {{"kind", geometry::key(problem.kind)},
          {"severity", severity_name(problem.severity)},
          {"count", problem.count},
          {"count_is_complete", problem.count_is_complete},
          {"places_m", examples},
          {"problem", problem.sentence},
          {"cure", problem.hint}};
}

Json describe_mass(const geometry::MassProperties& body, const scene::Material& material) {
  const auto axes = geometry::principal_axes(body.inertia);
  Json inertia = Json::array();
  for (int row = 0; row < 3; ++row) inertia.push_back(to_json(body.inertia.row(row).transpose()));
  return {{"material", material.name}, {"density_kg_per_m3", material.density},
          {"mass_kg", body.mass},      {"centre_of_mass_m", to_json(body.centre)},
          {"inertia_kg_m2", inertia},  {"principal_moments_kg_m2", to_json(axes.moments)}};
}

/// A surface that encloses a volume has mass; an open or inside-out one does not.
Json describe_mesh(const geometry::TriMesh& mesh, const std::optional<scene::Material>& material) {
  const geometry::MeshReport report = geometry::check_mesh(mesh);
  const geometry::Box box = geometry::bounds(mesh);
  Json json{{"vertices", mesh.vertices.size()},
            {"triangles", mesh.triangles.size()},
            {"groups", mesh.groups},
            {"size_m", to_json(box.sizes())},
            {"lowest_corner_m", to_json(box.min())},
            {"highest_corner_m", to_json(box.max())},
            {"surface_m2", geometry::surface_area(mesh)},
            {"watertight", report.watertight},
            {"components", report.components}};
  // Doubled faces would count twice.
  const bool is_solid =
      report.watertight && !report.find(geometry::MeshProblemKind::duplicate_face);
  const double volume = geometry::signed_volume(mesh);
  if (is_solid) json["volume_m3"] = volume;
  if (is_solid && volume > 0.0 && material) {
    json["mass"] = describe_mass(geometry::mass_properties(mesh, material->density), *material);
  }
  const base::SizeCheck size = base::check_size(mesh, material ? material->density : 0.0);
  if (!size.factors.empty()) {
    json["size_question"] = fmt::format("{}: {} Then scale it by {:g}", size.describe(),
                                        size.question(), size.factors.front());
  }
  json["problems"] = Json::array();
  for (const auto& problem : report.problems) json["problems"].push_back(describe_problem(problem));
  return json;
}

/// What a scene with waves would do to the mesh, in the band it has if it does not say.
Json describe_for_waves(const std::string& name, const geometry::TriMesh& mesh) {
  std::vector<std::string> notices;
  try {
    const double wavelength = base::Medium{}.speed_of_sound / base::WaveSettings{}.max_frequency;
    render::settle_surface({.name = name, .mesh = mesh}, wavelength, notices);
  } catch (const util::InputError& error) {
    notices.push_back(error.problem());
  }
  return notices;
}

/// What `peal modes` would do with the mesh up to 20 kHz.
Json describe_for_modes(const geometry::TriMesh& mesh, const base::Material& material) {
  try {
    return vibration::preview_solid_modes(mesh, material, {});
  } catch (const util::InputError& error) {
    return Json::array({error.problem()});
  }
}

/// A sheet's rim is not a mistake.
void remove_problem(Json& mesh, geometry::MeshProblemKind kind) {
  Json kept = Json::array();
  for (const Json& problem : mesh["problems"]) {
    if (problem["kind"] != geometry::key(kind)) kept.push_back(problem);
  }
  mesh["problems"] = kept;
}

Json describe_motion(const scene::MotionPath& path, double duration) {
  const dynamics::KeyframedMotion motion(path);
  const base::Pose start = motion.pose(0.0), end = motion.pose(duration);
  Json json{{"moves", !motion.is_still()}, {"position_m", to_json(start.position)}};
  if (!motion.is_still()) json["end_position_m"] = to_json(end.position);
  if (!motion.jumps().empty()) json["jumps"] = motion.jumps().size();
  return json;
}

/// Faces and area of each speaker's patch.
Json describe_speakers(const scene::Object& object) {
  Json json = Json::array();
  if (!object.mesh) return json;
  const shaders::SpeakerPatches found = shaders::speaker_patches(object);
  for (const std::vector<bool>& patch : found.patches) {
    const shaders::PatchSize size = shaders::patch_size(found.mesh, patch);
    json.push_back({{"faces", size.triangles}, {"area_cm2", 1e4 * size.area}});
  }
  return json;
}

Json describe_object(const scene::Object& object, const scene::Scene& scene) {
  Json json{{"name", object.name}, {"motion", describe_motion(object.path, scene.duration)}};
  if (object.rigid() != nullptr) json["motion"]["free"] = true;
  if (object.deformable() != nullptr) json["motion"]["deformable"] = true;
  if (object.exists) {
    const auto limit = [](double t) { return std::isfinite(t) ? Json(t) : Json(nullptr); };
    json["exists"] = {limit(object.exists->begin), limit(object.exists->end)};
  }
  json["sounds"] = Json::array();
  for (const auto& sound : object.sounds) json["sounds"].push_back(sound->describe());
  if (Json speakers = describe_speakers(object); !speakers.empty()) json["speakers"] = speakers;
  if (object.mesh) {
    json["shape"] = object.mesh_source + (object.is_sheet ? ", an open sheet" : "");
    json["mesh"] = describe_mesh(*object.mesh, object.material);
    if (json["mesh"].contains("mass"))
      json["mesh"]["mass"] = describe_mass(scene::body_mass(object), *object.material);
    if (simulate::meets_others(object)) {
      const dynamics::KeyframedMotion motion(object.path);
      json["collides_as"] =
          scene::describe(simulate::collides_as(object, motion.pose(0.0), scene.dynamics.gravity));
    }
    if (object.has_stated_size) json["mesh"].erase("size_question");
    if (object.is_sheet) remove_problem(json["mesh"], geometry::MeshProblemKind::hole);
  }
  if (const auto* sequence = object.mesh_sequence()) json["frames"] = sequence->files.size();
  if (const auto* liquid = object.liquid()) {
    json["drops"] = liquid->drops.size();
    json["level_m"] = {liquid->level_at(0.0), liquid->level_at(scene.duration)};
  }
  if (const auto* morphed = object.morphed()) {
    const auto& targets = *morphed->targets;
    if (!targets.displacements.empty()) json["morph_targets"] = targets.displacements.size();
    if (targets.skin) json["joints"] = targets.skin->joints.size();
  }
  return json;
}

/// As it is read, before anything is made of it.
Json describe_scene(const scene::Scene& scene) {
  Json objects = Json::array(), listeners = Json::array();
  for (const auto& object : scene.objects) {
    objects.push_back(describe_object(object, scene));
  }
  for (const auto& listener : scene.listeners) {
    listeners.push_back({{"name", listener.name},
                         {"kind", scene::describe(listener.kind)},
                         {"motion", describe_motion(listener.motion, scene.duration)}});
  }
  Json json{{"duration_s", scene.duration}, {"sample_rate_hz", scene.rate.hz},
            {"seed", scene.seed},           {"radiation", scene::describe(scene.radiation.model)},
            {"objects", objects},           {"listeners", listeners},
            {"notices", scene.notices}};
  if (simulate::needs_simulation(scene)) json["solver"] = scene::describe(scene.dynamics.solver);
  return json;
}

/// What a render makes of it, and what that costs.
void add_preview(const scene::Scene& scene, bool with_cost, simulate::FreeBodies free_bodies,
                 Json& json) {
  const render::Preview preview(scene, free_bodies);
  json["notices"] = preview.notices();
  if (!with_cost) return;
  if (const auto cost = preview.cost()) {
    json["choices"] = cost->choices;
    json["cost"] = {{"simulation_s", cost->simulation},
                    {"preparation_s", cost->preparation},
                    {"output_s", cost->output},
                    {"threads", util::thread_count()},
                    {"memory_bytes", cost->memory_bytes}};
    if (const auto& radiation = cost->radiation) {
      const double all = cost->preparation + radiation->seconds + cost->output;
      json["cost"].update({{"work", radiation->work},
                           {"work_unit", radiation->work_unit},
                           {"radiation_s", radiation->seconds},
                           {"seconds", all},
                           {"x_real_time", scene.duration / std::max(all, 1e-6)}});
    }
  }
}

void print_mesh(const Console& console, const Json& mesh, const std::string& indent) {
  console.line(fmt::format("{}{} triangles, {} vertices, {}", indent, mesh["triangles"].dump(),
                           mesh["vertices"].dump(),
                           mesh["watertight"].get<bool>() ? "watertight" : "not watertight"));
  console.line(fmt::format("{}size {} m, from {} to {}", indent, text(mesh["size_m"]),
                           text(mesh["lowest_corner_m"]), text(mesh["highest_corner_m"])));
  console.line(fmt::format(
      "{}surface {:.4g} m2{}", indent, mesh["surface_m2"].get<double>(),
      mesh.contains("volume_m3")
          ? fmt::format(", volume {:.4g} m3 ({:.4g} l)", mesh["volume_m3"].get<double>(),
                        1000.0 * mesh["volume_m3"].get<double>())
          : ""));
  if (const auto& groups = mesh["groups"]; !groups.empty()) {
    console.line(fmt::format("{}groups: {}", indent,
                             fmt::join(groups.get<std::vector<std::string>>(), ", ")));
  }
  if (mesh.contains("mass")) {
    const Json& mass = mesh["mass"];
    console.line(
        fmt::format("{}mass {:.4g} kg of {} ({:g} kg/m3), centre {} m, principal moments {} g m2",
                    indent, mass["mass_kg"].get<double>(), mass["material"].get<std::string>(),
                    mass["density_kg_per_m3"].get<double>(), text(mass["centre_of_mass_m"]),
                    text(mass["principal_moments_kg_m2"], 1000.0)));
  }
  if (mesh.contains("size_question"))
    console.line(indent + mesh["size_question"].get<std::string>());
  if (mesh["problems"].empty()) console.line(indent + "no problems found");
  for (const Json& problem : mesh["problems"]) {
    console.line(fmt::format("{}{}: {}", indent, problem["severity"].get<std::string>(),
                             problem["problem"].get<std::string>()));
    if (!problem["places_m"].empty()) {
      std::vector<std::string> places;
      for (const Json& place : problem["places_m"]) places.push_back(text(place));
      console.line(fmt::format("{}  at {}{}", indent, fmt::join(places, ", "),
                               places.size() < problem["count"].get<std::size_t>() ? ", ..." : ""));
    }
    if (const auto hint = problem["cure"].get<std::string>(); !hint.empty()) {
      console.line(indent + "  " + hint);
    }
  }
}

std::string motion_text(const Json& motion) {
  if (motion.contains("free")) return "moves freely from " + text(motion["position_m"]) + " m";
  if (!motion["moves"].get<bool>()) return "at " + text(motion["position_m"]) + " m";
  return "moves from " + text(motion["position_m"]) + " to " + text(motion["end_position_m"]) +
         " m";
}

void print_cost(const Console& console, const Json& cost) {
  const double simulation = cost["simulation_s"];
  if (cost.contains("seconds")) {
    console.line(fmt::format("cost: {:.3g} {}, about {} s on {} threads ({}), {:.3g} MB of sound",
                             cost["work"].get<double>(), cost["work_unit"].get<std::string>(),
                             rounded(cost["seconds"].get<double>()), cost["threads"].dump(),
                             speed_text(cost["x_real_time"].get<double>()),
                             cost["memory_bytes"].get<double>() / 1e6));
  } else {
    console.line("cost: not known until the motion and the modes of bodies are computed");
  }
  if (simulation > 0.0)
    console.line(
        fmt::format("cost: about {} s to simulate deformable bodies first", rounded(simulation)));
}

void print_scene(const Console& console, const Json& scene) {
  console.line(fmt::format("scene of {:g} s at {} Hz, seed {}, radiation \"{}\"",
                           scene["duration_s"].get<double>(), scene["sample_rate_hz"].dump(),
                           scene["seed"].dump(), scene["radiation"].get<std::string>()));
  if (scene.contains("solver")) {
    console.line(fmt::format("solver of free bodies: \"{}\"", scene["solver"].get<std::string>()));
  }
  for (const Json& object : scene["objects"]) {
    console.line(fmt::format("object \"{}\" {}", object["name"].get<std::string>(),
                             motion_text(object["motion"])));
    for (const Json& sound : object["sounds"]) {
      console.line("    sound: " + sound.get<std::string>());
    }
    for (const Json& speaker : object.value("speakers", Json::array())) {
      console.line(fmt::format("    speaker: {} face{}, {:.4g} cm2", speaker["faces"].dump(),
                               speaker["faces"] == 1 ? "" : "s",
                               speaker["area_cm2"].get<double>()));
    }
    if (object.contains("mesh")) {
      console.line("    shape: " + object["shape"].get<std::string>());
      print_mesh(console, object["mesh"], "    ");
      if (object.contains("collides_as")) {
        console.line("    collides as " + object["collides_as"].get<std::string>());
      }
    }
    if (object.contains("frames")) {
      console.line(fmt::format("    {} frames", object["frames"].dump()));
    }
    if (object.contains("drops")) {
      console.line(fmt::format("    {} drops, level {:.4g} m, at the end {:.4g} m",
                               object["drops"].dump(), object["level_m"][0].get<double>(),
                               object["level_m"][1].get<double>()));
    }
    if (object.contains("morph_targets")) {
      console.line(fmt::format("    morph targets, keyed: {}", object["morph_targets"].dump()));
    }
    if (object.contains("joints")) {
      console.line(fmt::format("    skin: {} joints", object["joints"].dump()));
    }
  }
  for (const Json& listener : scene["listeners"]) {
    console.line(fmt::format("listener \"{}\", {}, {}", listener["name"].get<std::string>(),
                             listener["kind"].get<std::string>(), motion_text(listener["motion"])));
  }
  for (const Json& choice : scene.value("choices", Json::array())) {
    console.line("choice: " + choice.get<std::string>());
  }
  if (scene.contains("cost")) print_cost(console, scene["cost"]);
}

/// A .json file is a scene; a glTF file is one if it says so, and a mesh otherwise.
bool is_scene(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return std::tolower(c); });
  return extension == ".json" ||
         ((extension == ".gltf" || extension == ".glb") && scene::is_gltf_scene(file));
}

/// Also if nothing can be made of it: then what is known is shown, and what is wrong last.
void run_scene(const Console& console, const InspectArguments& arguments) {
  const scene::Scene scene = scene::read_scene(arguments.file);
  Json json = describe_scene(scene);
  if (Json nodes = describe_nodes(arguments.file); !nodes.empty()) json["nodes"] = nodes;
  const auto print = [&] {
    console.notices(json["notices"].get<std::vector<std::string>>());
    print_nodes(console, json.value("nodes", Json::array()));
    print_scene(console, json);
  };
  try {
    add_preview(
        scene, !arguments.no_cost,
        arguments.simulate ? simulate::FreeBodies::simulated : simulate::FreeBodies::at_start,
        json);
  } catch (const std::exception&) {
    if (!console.json) print();
    render::rethrow_in_file(scene.file);
  }
  if (console.json) return console.document(json);
  print();
}

/// The solid of the mesh with a thickness, and what was repaired for it.
geometry::TriMesh thick_mesh(const Console& console, const InspectArguments& arguments,
                             const geometry::TriMesh& mesh) try {
  const std::vector<double> thickness(mesh.vertices.size(), *arguments.thickness);
  const geometry::RepairedShell repaired = geometry::repaired_shell(mesh, thickness);
  for (const std::string& repair : repaired.repairs) console.notice(repair);
  console.notice(geometry::choose_elements(geometry::shell_form(repaired.shell)).reason);
  return geometry::solid_of(repaired.shell);
} catch (const std::invalid_argument& error) {
  throw util::InputError({arguments.file.string(), "--thickness"}, error.what(),
                         "Use a smaller thickness, or repair the mesh there.");
}

void run(const Console& console, const InspectArguments& arguments) {
  const wave::DeviceScope device(arguments.device);
  if (is_scene(arguments.file)) {
    if (!arguments.material.empty()) {
      throw util::InputError({"", "--material"}, "is for a mesh; a scene names its own materials");
    }
    if (arguments.thickness)
      throw util::InputError({"", "--thickness"}, "is for a mesh, not a scene");
    return run_scene(console, arguments);
  }
  std::optional<scene::Material> material;
  if (!arguments.material.empty()) {
    material = scene::find_material(arguments.material);
    if (!material) {
      throw util::InputError({"", "--material"}, "unknown material \"" + arguments.material + '"',
                             util::suggest(arguments.material, scene::material_names()));
    }
  }
  geometry::TriMesh mesh = scene::load_mesh(arguments.file);
  if (arguments.thickness) mesh = thick_mesh(console, arguments, mesh);
  Json json = describe_mesh(mesh, material);
  json["for_waves"] = describe_for_waves(arguments.file.filename().string(), mesh);
  if (Json nodes = describe_nodes(arguments.file); !nodes.empty()) json["nodes"] = nodes;
  if (material && !mesh.empty()) json["for_modes"] = describe_for_modes(mesh, *material);
  if (console.json) return console.document(json);
  print_nodes(console, json.value("nodes", Json::array()));
  print_mesh(console, json, "");
  for (const Json& sentence : json["for_waves"])
    console.line("for waves: " + sentence.get<std::string>());
  for (const Json& sentence : json.value("for_modes", Json::array()))
    console.line("for modes: " + sentence.get<std::string>());
}

}  // namespace

void add_inspect(CLI::App& app, Console& console) {
  CLI::App* verb =
      app.add_subcommand("inspect",
                         "Show how Peal reads a scene or a mesh: sizes, volume, mass, motion, "
                         "sounds,\nmesh problems and where they are, and what a render will cost.");
  auto arguments = std::make_shared<InspectArguments>();
  verb->add_option("FILE", arguments->file,
                   "Scene (.json, .gltf, .glb) or mesh (.obj, .ply, .stl, .gltf, .glb)")
      ->required();
  verb->add_option("--material", arguments->material,
                   "Material of a mesh, for its mass: steel, glass, ...");
  verb->add_option("--thickness", arguments->thickness,
                   "Thickness of the surface [m], open or closed: it is the middle of a wall")
      ->check(number_between(1e-6, 1.0));
  add_device_option(*verb, arguments->device);
  verb->add_flag("--no-cost", arguments->no_cost, "Skip the timing run (no cost estimate)");
  verb->add_flag("--simulate", arguments->simulate,
                 "Simulate free bodies first and include them in the cost estimate");
  verb->add_flag("--json", console.json, "Print everything as JSON");
  verb->callback([&console, arguments] { run(console, *arguments); });
}

}  // namespace peal::apps

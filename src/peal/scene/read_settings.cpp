#include <peal/scene/describe.h>
#include <peal/scene/read_dynamics.h>
#include <peal/scene/read_object.h>
#include <peal/scene/read_pieces.h>
#include <peal/scene/read_radiation.h>
#include <peal/scene/read_settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

constexpr int format_version = 1;
constexpr double longest = 3600.0;  // scene [s]

void check_version(JsonObject& keys) {
  const auto version = keys.require("peal", "\"peal\": 1, the version of the scene format");
  if (!version) return;
  if (!version->json().is_number()) {
    version->report_kind("the version of the scene format", "\"peal\": 1");
  } else if (version->json() != format_version) {
    version->report(fmt::format("version {} of the scene format is not supported",
                                util::describe(version->json())),
                    fmt::format("This Peal reads version {}.", format_version));
  }
}

base::Medium read_medium(const JsonValue& value) {
  JsonObject object(value, "a medium");
  base::Medium medium;
  medium.speed_of_sound = object.number("speed_of_sound", {.min = 10, .max = 1e4, .unit = "m/s"},
                                        medium.speed_of_sound);
  medium.density =
      object.number("density", {.min = 1e-3, .max = 1e5, .unit = "kg/m^3"}, medium.density);
  object.finish();
  return medium;
}

template <class Named>
void check_unique(const std::vector<Named>& list, util::Problems& problems) {
  std::map<std::string, std::string> seen;
  for (const Named& item : list) {
    const auto [first, is_new] = seen.emplace(item.name, item.location);
    if (is_new || item.name.empty()) continue;
    problems.add(item.location + ".name",
                 fmt::format("\"{}\" is already the name of {}", item.name, first->second),
                 "Give each its own name.");
  }
}

}  // namespace

void read_settings(JsonObject& keys, Scene& scene, ReadContext& context) {
  const util::Problems& problems = keys.value().problems();
  keys.find("$schema");
  check_version(keys);
  const std::size_t before_duration = problems.count();
  scene.duration = keys.required_number(
      "duration", {.min = 0, .max = longest, .unit = "s", .above_min = true}, "\"duration\": 5");
  const bool bad_duration = problems.count() != before_duration;
  if (const auto seed = keys.find("seed")) {
    scene.seed = static_cast<std::uint64_t>(seed->integer(0, 9007199254740991));
    context.seed = scene.seed;
  }
  const std::size_t before_rate = problems.count();
  if (const auto rate = keys.find("sample_rate")) scene.rate.hz = rate->integer(8000, 192000);
  // What is compared with a value that is itself wrong is not complained about.
  if (problems.count() != before_rate) scene.rate.hz = 192000;
  if (const auto medium = keys.find("medium")) scene.medium = read_medium(*medium);
  scene.radiation.wave = default_wave_settings(scene.rate);
  if (const auto radiation = keys.find("radiation")) {
    scene.radiation = read_radiation(*radiation, scene.rate);
  }
  if (const auto dynamics = keys.find("dynamics")) {
    scene.dynamics = read_dynamics(*dynamics, context);
  }

  context.rate = scene.rate;
  context.duration = scene.duration;
  if (!keys.has("duration") || bad_duration) context.duration = longest;
  if (const auto fps = keys.find("fps")) {
    context.fps = fps->number({.min = 0.1, .max = 1e5, .unit = "1/s"});
  }
  context.frame_start_given = keys.has("frame_start");
  context.frame_start = keys.number("frame_start", {-1e6, 1e6}, 0.0);
  if (const auto start = keys.find("frame_start"); start && !keys.has("fps")) {
    start->report("a frame has no time without \"fps\"", "Give \"fps\" too: \"fps\": 24");
  }
}

namespace {

/// An object that broke in another program, and its pieces.
void read_broken_object(const JsonValue& value, Scene& scene, ReadContext& context) {
  std::filesystem::path contacts;
  const std::vector<nlohmann::json> parts = with_pieces(value, context, contacts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string path =
        i == 0 ? value.path() : fmt::format("{}.pieces[{}]", value.path(), i - 1);
    scene.objects.push_back(
        read_object(JsonValue(parts[i], path, value.problems()), scene.objects.size(), context));
    scene.objects.back().fragmentation = i == 0 ? Fragmentation::whole : Fragmentation::piece;
  }
  if (contacts.empty()) return;
  if (scene.dynamics.contacts) {
    value.report("the file of pieces has contacts, and the scene has others",
                 "Write all contacts into one of the two files.");
  }
  scene.dynamics.contacts = contacts;
}

}  // namespace

void read_contents(JsonObject& keys, Scene& scene, ReadContext& context) {
  if (const auto objects = keys.find("objects")) {
    for (const JsonValue& value : objects->list(1, "a list of objects")) {
      if (value.json().is_object() && value.json().contains("pieces"))
        read_broken_object(value, scene, context);
      else
        scene.objects.push_back(read_object(value, scene.objects.size(), context));
    }
  }
  if (const auto listeners = keys.find("listeners")) {
    for (const JsonValue& value : listeners->list(1, "a list of listeners")) {
      scene.listeners.push_back(read_listener(value, scene.listeners.size(), context));
    }
  }
}

namespace {

void check_deformables(const Scene& scene, util::Problems& problems) {
  if (scene.dynamics.solver == Solver::bullet &&
      std::ranges::any_of(scene.objects, &Object::rigid) &&
      std::ranges::any_of(scene.objects, &Object::deformable)) {
    problems.add("dynamics.solver",
                 "\"bullet\" cannot simulate free bodies together with deformable ones",
                 "Remove it: free bodies next to deformable ones always use \"smooth\".");
  }
  for (const Object& object : scene.objects) {
    if (object.exists && object.collision_shape &&
        (scene.dynamics.solver == Solver::bullet ||
         std::ranges::any_of(scene.objects, &Object::deformable))) {
      problems.add(object.location + ".exists",
                   "only the solver \"smooth\", without deformable bodies, supports \"exists\"",
                   "Remove it, or give the object \"contact\": {\"collision\": \"none\"}.");
    }
    if (object.fracture && (scene.dynamics.solver == Solver::bullet ||
                            std::ranges::any_of(scene.objects, &Object::deformable))) {
      problems.add(object.location + ".motion",
                   "bodies break with the solver \"smooth\" alone, without deformable bodies",
                   "Let it be \"rigid\", or remove the others.");
    }
    if (object.deformable() == nullptr) continue;
    if (!scene.radiation.radiates_surfaces()) {
      problems.add(
          "radiation.model",
          fmt::format(
              "\"{}\" renders no surfaces that deform, but the surface of \"{}\" makes sound",
              describe(scene.radiation.model), object.name),
          "Use \"radiation\": {\"model\": \"rays\"}, or \"wave\".");
      return;
    }
  }
}

}  // namespace

void check_names(const Scene& scene, util::Problems& problems) {
  check_deformables(scene, problems);
  for (const Object& object : scene.objects) {
    if ((!object.is_simulated() && !object.fracture) || !scene.dynamics.contacts) continue;
    problems.add(object.location + ".motion",
                 "moves by a simulation, but the contacts come from a log",
                 "Remove \"contacts\" of \"dynamics\", or give the object its motion.");
  }
  check_unique(scene.objects, problems);
  check_unique(scene.listeners, problems);
}

}  // namespace peal::scene

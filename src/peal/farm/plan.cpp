#include <peal/farm/plan.h>
#include <peal/scene/scene_files.h>
#include <peal/util/error.h>
#include <peal/util/fingerprint.h>
#include <peal/util/json_reader.h>
#include <peal/util/version.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace peal::farm {

namespace fs = std::filesystem;
using util::JsonObject;
using util::JsonValue;

namespace {

constexpr std::int64_t plan_format = 1;
constexpr const char* another_folder = "Choose another folder with -o.";

std::string text_of(JsonObject& object, const std::string& key) {
  const auto value = object.require(key, "\"" + key + "\": \"...\"");
  return value ? value->text("a text") : "";
}

SceneSettings read_settings_of(const JsonValue& value) {
  JsonObject object(value, "settings of a scene");
  SceneSettings settings;
  settings.tail = object.number("tail_s", {.min = 0.0}, 0.0);
  settings.strict = object.boolean("strict", false);
  if (const auto kinds = object.find("without")) {
    for (const JsonValue& kind : kinds->list(0, "a list of kinds of sound"))
      settings.without.push_back(kind.text("a kind of sound"));
  }
  object.finish();
  return settings;
}

Plan::Unit read_unit(const JsonValue& value) {
  JsonObject object(value, "a unit of work");
  Plan::Unit unit;
  unit.name = text_of(object, "name");
  unit.work = object.number("work", {.min = 0.0}, 0.0);
  unit.file = text_of(object, "file");
  if (unit.file.is_absolute() || unit.file.lexically_normal().string().starts_with(".."))
    value.report("its file is outside of the folder of results");
  object.finish();
  return unit;
}

}  // namespace

std::string SceneSettings::text() const {
  std::vector<std::string> options;
  if (tail != 0.0) options.push_back(fmt::format("--tail {}", tail));
  for (const std::string& kind : without) options.push_back("--without " + kind);
  if (strict) options.push_back("--strict");
  return options.empty() ? "no options" : fmt::format("{}", fmt::join(options, " "));
}

std::string Identity::hash() const {
  util::Fingerprint fingerprint;
  for (const std::string& text : {version, build, scene_hash, settings.text()})
    fingerprint.add(std::string_view(text));
  return fingerprint.hex();
}

Identity identity_of(const fs::path& scene, const SceneSettings& settings) {
  return {.version = util::version(),
          .build = scene::hash_of_files({"/proc/self/exe"}),
          .scene_hash = scene::hash_of_files(scene::files_of_scene(scene)),
          .settings = settings};
}

std::vector<double> Plan::work() const {
  std::vector<double> all;
  for (const Unit& unit : units) all.push_back(unit.work);
  return all;
}

Plan parse_plan(std::string_view bytes, const std::string& file) {
  const nlohmann::json document = util::parse_json(bytes, file);
  util::Problems problems(file);
  JsonObject object(JsonValue(document, "", problems), "the plan of a shared render");
  if (const auto format = object.require("peal_plan", "\"peal_plan\": 1")) {
    if (format->integer(0, 1'000'000) != plan_format)
      format->report("the plan was written by another version of Peal", another_folder);
  }
  Plan plan;
  plan.identity.version = text_of(object, "peal");
  plan.identity.build = text_of(object, "build");
  plan.scene = text_of(object, "scene");
  plan.identity.scene_hash = text_of(object, "scene_hash");
  if (const auto settings = object.require("settings", "\"settings\": {}"))
    plan.identity.settings = read_settings_of(*settings);
  plan.model = text_of(object, "model");
  plan.work_unit = text_of(object, "work_unit");
  plan.memory = object.number("memory_bytes", {.min = 0.0}, 0.0);
  if (const auto units = object.require("units", "\"units\": []")) {
    for (const JsonValue& unit : units->list(0, "a list of units of work"))
      plan.units.push_back(read_unit(unit));
  }
  object.finish();
  problems.throw_if_any();
  return plan;
}

std::string plan_text(const Plan& plan) {
  using Json = nlohmann::ordered_json;
  Json units = Json::array();
  for (const Plan::Unit& unit : plan.units)
    units.push_back({{"name", unit.name}, {"work", unit.work}, {"file", unit.file.string()}});
  const SceneSettings& settings = plan.identity.settings;
  const Json json = {
      {"peal_plan", plan_format},
      {"peal", plan.identity.version},
      {"build", plan.identity.build},
      {"scene", plan.scene.string()},
      {"scene_hash", plan.identity.scene_hash},
      {"settings",
       {{"tail_s", settings.tail}, {"without", settings.without}, {"strict", settings.strict}}},
      {"model", plan.model},
      {"work_unit", plan.work_unit},
      {"memory_bytes", plan.memory},
      {"units", units}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void check_identity(const Plan& plan, const Identity& own, const fs::path& file) {
  const Identity& planned = plan.identity;
  const auto refuse = [&](const std::string& problem, const std::string& hint) {
    throw util::InputError({file.string(), ""}, problem, hint);
  };
  if (planned.version != own.version) {
    refuse(fmt::format("the folder holds a render by Peal {}; this is {}", planned.version,
                       own.version),
           std::string("Use the same program on all machines. ") + another_folder);
  }
  if (planned.build != own.build) {
    refuse(fmt::format("the folder holds a render by another build of Peal {}", planned.version),
           std::string("Use the same program on all machines. ") + another_folder);
  }
  if (planned.scene_hash != own.scene_hash) {
    refuse(fmt::format("the folder holds a render of another scene, or of other contents of its "
                       "files (then {})",
                       plan.scene.string()),
           another_folder);
  }
  if (planned.settings != own.settings) {
    refuse(fmt::format("the folder holds a render with {}; this one has {}",
                       planned.settings.text(), own.settings.text()),
           another_folder);
  }
}

}  // namespace peal::farm

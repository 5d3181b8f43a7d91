#include <peal/scene/default_sounds.h>
#include <peal/scene/gltf_scene.h>
#include <peal/scene/gltf_source.h>
#include <peal/scene/read_scene.h>
#include <peal/scene/read_settings.h>
#include <peal/util/files.h>

namespace peal::scene {

namespace fs = std::filesystem;
using util::JsonObject;
using util::JsonValue;

namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;  // [bytes]

}  // namespace

Scene parse_scene(std::string_view bytes, const std::string& name, const fs::path& base_dir,
                  const SceneLimits& limits) {
  const nlohmann::json document = util::parse_json(bytes, name);
  util::Problems problems(name);
  ReadContext context;
  context.base_dir = base_dir;
  context.left = limits;

  Scene scene;
  scene.file = name;
  JsonObject keys(JsonValue(document, "", problems), "a scene");
  read_settings(keys, scene, context);
  keys.require("objects", "\"objects\": [ {\"name\": \"bell\"} ]");
  keys.require("listeners", "\"listeners\": [ {\"stereo\": {\"position\": [0, 1.7, 2]}} ]");
  read_contents(keys, scene, context);
  keys.finish();
  check_names(scene, problems);
  problems.throw_if_any();
  add_default_sounds(scene, context);
  scene.notices = std::move(context.notices);
  return scene;
}

Scene read_scene(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (is_gltf_name(path.filename().string())) return gltf_scene(read_gltf(path), folder);
  const std::string ending = path.extension().string();
  for (const char* mesh : {".obj", ".ply", ".stl", ".bobj", ".gz", ".modes"}) {
    if (ending == mesh)
      throw util::InputError({path.string(), ""}, "is a mesh, not a scene",
                             "Name it in a scene; `peal inspect`, `peal modes` and `peal strike` "
                             "take meshes.");
  }
  return parse_scene(util::read_file(path, largest_file), path.string(), folder);
}

}  // namespace peal::scene

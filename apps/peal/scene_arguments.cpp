#include "scene_arguments.h"

#include <peal/scene/read_scene.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "number_between.h"

namespace peal::apps {

namespace {

std::vector<std::string> kinds_of_sound() {
  std::vector<std::string> kinds;
  for (const scene::SoundKind& kind : scene::sound_kinds()) kinds.push_back(kind.key);
  return kinds;
}

void leave_out(const std::vector<std::string>& kinds, scene::Scene& scene) {
  for (scene::Object& object : scene.objects) {
    const auto left = std::stable_partition(
        object.sounds.begin(), object.sounds.end(),
        [&](const auto& sound) { return std::ranges::find(kinds, sound->key()) == kinds.end(); });
    object.left_out.insert(object.left_out.end(), left, object.sounds.end());
    object.sounds.erase(left, object.sounds.end());
  }
}

}  // namespace

void add_scene_options(CLI::App& verb, SceneArguments& arguments) {
  farm::SceneSettings& settings = arguments.settings;
  verb.add_option("SCENE", arguments.file, "Scene file: .json, .gltf or .glb")->required();
  verb.add_option("--tail", settings.tail,
                  "Render longer than the scene, so that bodies can ring out")
      ->check(number_between(0.0, 600.0))
      ->type_name("SECONDS");
  verb.add_option(
          "--without", settings.without,
          fmt::format("Leave out a kind of sound: {}. Render with and without it to mix stems",
                      fmt::join(kinds_of_sound(), ", ")))
      ->check(CLI::IsMember(kinds_of_sound()));
  verb.add_flag("--strict", settings.strict,
                "Fail if a body cannot ring (otherwise a notice, and its other sounds remain)");
}

scene::Scene read_scene(const SceneArguments& arguments) {
  scene::Scene scene = scene::read_scene(arguments.file);
  leave_out(arguments.settings.without, scene);
  scene.duration += arguments.settings.tail;
  return scene;
}

}  // namespace peal::apps

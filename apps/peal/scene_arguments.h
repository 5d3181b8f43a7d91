#pragma once

#include <peal/farm/plan.h>
#include <peal/scene/scene.h>

#include <string>

namespace CLI {
class App;
}

namespace peal::apps {

/// The scene that a verb renders, and what is changed of it.
struct SceneArguments {
  std::string file;
  farm::SceneSettings settings;
};

void add_scene_options(CLI::App& verb, SceneArguments& arguments);

/// Reads the scene and applies the settings.
scene::Scene read_scene(const SceneArguments& arguments);

}  // namespace peal::apps

#pragma once

#include <peal/base/pressure_slice.h>
#include <peal/render/output.h>

#include <nlohmann/json.hpp>

#include <optional>

#include "console.h"

namespace CLI {
class App;
}

namespace peal::apps {

/// What every verb that renders asks about its results.
struct FolderArguments {
  render::OutputSettings output;
  bool no_picture = false;
  int threads = 0;
  std::string device = "auto";
};

void add_folder_options(CLI::App& verb, FolderArguments& arguments, Console& console);

/// The same without -o.
void add_output_options(CLI::App& verb, FolderArguments& arguments, Console& console);

/// Renders a scene into the folder: says first what it will do, then where the results are. With
/// --json the manifest, and `also` after it, is the result. Cache and announcement of the options
/// are set here. The first `shown` notices of the scene are not printed again.
void render_to_folder(const Console& console, const scene::Scene& scene,
                      const FolderArguments& arguments, const Stopwatch& watch,
                      const render::RenderOptions& options = {},
                      const nlohmann::ordered_json& also = nlohmann::ordered_json::object(),
                      std::size_t shown = 0);

/// Writes a finished sound and says where. The first `shown` notices are not printed again.
void write_sound(const Console& console, const scene::Scene& scene, render::Sound& sound,
                 const render::OutputSettings& output, util::Progress& progress,
                 const Stopwatch& watch, const nlohmann::ordered_json& also, std::size_t shown);

}  // namespace peal::apps

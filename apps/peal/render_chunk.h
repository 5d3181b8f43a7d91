#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "console.h"
#include "scene_arguments.h"

namespace CLI {
class Option;
}

namespace peal::apps {

/// Whether a render is one part of a shared one.
struct ChunkArguments {
  const CLI::Option* asked = nullptr;  ///< --chunk
  std::string part;                    ///< "3/8", "/8" or empty: the environment says the rest
  bool prepare = false;                ///< --prepare
  bool modes = false;                  ///< --modes

  bool is_asked() const;
};

/// Call it before SCENE is added: `--chunk scene.json` hands the scene on.
void add_chunk_options(CLI::App& verb, ChunkArguments& arguments);

/// Finds the modes of a shared render, prepares it, or computes a part of it.
void render_chunk(const Console& console, const SceneArguments& scene, const ChunkArguments& chunk,
                  const std::filesystem::path& folder, double checkpoint_interval);

}  // namespace peal::apps

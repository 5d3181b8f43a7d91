#pragma once

#include <peal/scene/scene.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace peal::scene {

/// Limits for what a small file can create.
struct SceneLimits {
  std::size_t keys = 1'000'000;        ///< of circles and whole turns
  std::size_t triangles = 10'000'000;  ///< of built-in shapes
};

/// Reads a scene and the meshes it names. docs/scene-format.md is the manual of the format.
/// Throws InputError; if there are several independent problems, an InputErrors that lists them.
Scene read_scene(const std::filesystem::path& path);

/// Reads a scene from bytes in memory. `name` is for messages; files are relative to `base_dir`,
/// and refused if it is empty.
Scene parse_scene(std::string_view bytes, const std::string& name,
                  const std::filesystem::path& base_dir, const SceneLimits& limits = {});

}  // namespace peal::scene

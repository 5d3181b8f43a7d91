#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace peal::scene {

/// The files that a scene is read from: its own first, then those that it names, also through other
/// scene and glTF files and with numbers in their names, sorted. A text of a scene that happens to
/// be the name of a file there counts as one.
std::vector<std::filesystem::path> files_of_scene(const std::filesystem::path& scene);

/// A hash of the contents of these files.
std::string hash_of_files(const std::vector<std::filesystem::path>& files);

}  // namespace peal::scene

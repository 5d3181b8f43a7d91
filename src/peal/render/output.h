#pragma once

#include <peal/render/render.h>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <vector>

namespace peal::render {

struct OutputSettings {
  std::filesystem::path folder;
  bool normalise = false;  ///< scale each file to a peak of 0.891 (-1 dBFS) instead of 1.0 = 1 Pa
  bool picture = true;
};

/// Throws InputError if files cannot be written in `folder`; creates nothing.
void check_folder(const std::filesystem::path& folder);

/// Notices about files that an ordinary player would clip, if they are not normalised.
std::vector<std::string> clipping_notices(const Sound& sound, const OutputSettings& settings);

/// Writes the files of a finished render, each of them whole or not at all, and returns their
/// paths. The sound of the only listener is audio.wav, those of several audio-NAME.wav.
/// manifest.json is written last, so that all files exist if it does. A movie that could not be
/// made becomes a notice of the sound.
std::vector<std::filesystem::path> write_output(const scene::Scene& scene, Sound& sound,
                                                const OutputSettings& settings,
                                                util::Progress& progress);

/// Manifest of what was rendered and why it sounds as it does. It is the same for the same scene,
/// without dates or times.
nlohmann::ordered_json manifest(const scene::Scene& scene, const Sound& sound,
                                const OutputSettings& settings);

}  // namespace peal::render

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

/// Throws InputError if files cannot be written there; makes nothing.
void check_folder(const std::filesystem::path& folder);

/// Says which files an ordinary player would clip, if they are not normalised.
std::vector<std::string> clipping_notices(const Sound& sound, const OutputSettings& settings);

/// The files of a finished render, each written whole or not at all. The first listener's sound is
/// audio.wav, those of others audio-1-NAME.wav and so on; manifest.json comes last, so that where
/// it is, all files are. A movie that could not be made becomes a notice of the sound.
std::vector<std::filesystem::path> write_output(const scene::Scene& scene, Sound& sound,
                                                const OutputSettings& settings,
                                                util::Progress& progress);

/// What was rendered and why it sounds as it does. The same for the same scene: no dates, no times.
nlohmann::ordered_json manifest(const scene::Scene& scene, const Sound& sound,
                                const OutputSettings& settings);

}  // namespace peal::render

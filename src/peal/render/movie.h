#pragma once

#include <peal/render/slices.h>

#include <filesystem>
#include <optional>
#include <string>

namespace peal::render {

/// What ffmpeg is asked for.
struct MovieSettings {
  std::filesystem::path folder;  ///< of the render: slices/ is there, the movie goes there
  std::string audio;             ///< file in the folder
  double gain = 1.0;             ///< of the audio
};

inline constexpr const char* movie_name = "slices.mp4";

/// Slices up to this rate are shown in real time, with the sound; faster ones in slow motion.
inline constexpr double fastest_real_time = 60.0;  ///< [1/s]

/// Makes slices.mp4 from the pictures that write_slices left. Returns why there is none, if so:
/// a movie is a treat, never a reason to fail.
std::optional<std::string> make_movie(const Slices& slices, const MovieSettings& settings);

}  // namespace peal::render

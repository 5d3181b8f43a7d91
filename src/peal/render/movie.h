#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace peal::render {

/// What ffmpeg is asked for.
struct MovieSettings {
  std::filesystem::path folder;  ///< of the render: the pictures' folder is there
  std::string pictures;          ///< folder of frame-00000.png, ...; the movie has its name
  std::size_t frames = 0;
  double rate = 30.0;  ///< frames a second of the scene's time [1/s]
  double begin = 0.0;  ///< of the first frame in the scene's time [s]
  std::string audio;   ///< file in the folder
  double gain = 1.0;   ///< of the audio
};

/// Pictures up to this rate are shown in real time, with the sound; faster ones in slow motion.
inline constexpr double fastest_real_time = 60.0;  ///< [1/s]

/// "slices.mp4" of "slices".
std::string movie_of(const std::string& pictures);

/// Makes a movie in the folder from pictures. Returns why there is none, if so: a movie is a treat,
/// never a reason to fail.
std::optional<std::string> make_movie(const MovieSettings& settings);

}  // namespace peal::render

#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace peal::render {

/// Settings of a movie that ffmpeg makes.
struct MovieSettings {
  std::filesystem::path folder;  ///< folder of the render, which contains that of the pictures
  std::string pictures;          ///< folder of frame-00000.png, ...; the movie has its name
  std::size_t frames = 0;
  double rate = 30.0;  ///< frames a second of the scene's time [1/s]
  double begin = 0.0;  ///< scene time of the first frame [s]
  std::string audio;   ///< file in the folder
  double gain = 1.0;   ///< factor on the audio
};

/// Pictures up to this rate are shown in real time, with the sound; faster ones in slow motion.
inline constexpr double fastest_real_time = 60.0;  ///< [1/s]

/// File name of a movie: "slices.mp4" for "slices".
std::string movie_of(const std::string& pictures);

/// Makes a movie in the folder from pictures. Returns the reason if that fails, because a missing
/// movie must never fail a render.
std::optional<std::string> make_movie(const MovieSettings& settings);

}  // namespace peal::render

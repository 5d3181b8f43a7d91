#include <peal/render/movie.h>
#include <peal/util/files.h>
#include <peal/util/program.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace peal::render {

namespace {

constexpr double slow_motion_rate = 30.0;  ///< frames per second of silent movies

/// Where a name begins with '-' or has a colon, ffmpeg must still take it for a file.
std::string file_argument(const std::filesystem::path& path) {
  return "file:" + path.string();
}

/// In a pattern for numbered files, % stands for the number.
std::string escaped(std::string pattern) {
  for (std::size_t i = pattern.find('%'); i != std::string::npos; i = pattern.find('%', i + 2)) {
    pattern.insert(i, 1, '%');
  }
  return pattern;
}

std::vector<std::string> arguments_for(const MovieSettings& settings,
                                       const std::filesystem::path& target) {
  const bool with_sound = settings.rate <= fastest_real_time;
  const double rate = with_sound ? settings.rate : slow_motion_rate;
  const auto number = [](double x) { return fmt::format("{:.9g}", x); };
  std::vector<std::string> words = {
      "-nostdin", "-y", "-v", "error", "-framerate", number(rate), "-start_number", "0", "-i"};
  words.push_back(
      file_argument(escaped((settings.folder / settings.pictures).string()) + "/frame-%05d.png"));
  if (with_sound) {
    words.insert(words.end(), {"-ss", number(settings.begin), "-i",
                               file_argument(settings.folder / settings.audio), "-af",
                               "volume=" + number(settings.gain)});
  }
  // One thread and no dates: the same pictures make the same movie.
  words.insert(words.end(), {"-t", number(static_cast<double>(settings.frames) / rate), "-pix_fmt",
                             "yuv420p", "-threads", "1", "-map_metadata", "-1", "-fflags",
                             "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact",
                             "-movflags", "+faststart", "-f", "mp4", file_argument(target)});
  return words;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string movie_of(const std::string& pictures) {
  return pictures + ".mp4";
}

std::optional<std::string> make_movie(const MovieSettings& settings) {
  const std::string name = movie_of(settings.pictures);
  const auto ffmpeg = util::find_program("ffmpeg");
  if (!ffmpeg) return fmt::format("no {}: ffmpeg is not installed", name);
  try {
    util::write_file(settings.folder / name, [&](const std::filesystem::path& target) {
      const std::chrono::seconds limit(600 + 2 * static_cast<std::int64_t>(settings.frames));
      const auto end = util::run_program(*ffmpeg, arguments_for(settings, target), limit);
      if (end.timed_out)
        throw std::runtime_error(fmt::format("it timed out after {} s", limit.count()));
      if (!end.fine) throw std::runtime_error(first_line(end.message));
    });
  } catch (const std::exception& problem) {
    return fmt::format("no {}: ffmpeg failed: {}", name, problem.what());
  }
  return std::nullopt;
}

}  // namespace peal::render

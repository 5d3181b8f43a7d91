#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace peal::render {

/// Files of a series in a folder: "frame-00012.png" begins with "frame-" and ends with ".png".
struct NumberedFiles {
  std::string begin, end;

  std::string name(std::size_t number) const;
  bool has(const std::string& name) const;
  /// Removes the files of the series in the folder, and the folder if nothing else is in it. Other
  /// files stay.
  void remove_from(const std::filesystem::path& folder) const;
};

/// Pictures of a movie.
NumberedFiles movie_frames();

}  // namespace peal::render

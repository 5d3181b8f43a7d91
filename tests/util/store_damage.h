#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace peal::util {

/// Overwrites a file in place, without waiting for the disk.
inline void overwrite(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Flips one bit of the byte at `part` of a file's length, 0 to 1.
inline void flip_byte(const std::filesystem::path& file, double part) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  const auto last = static_cast<double>(std::filesystem::file_size(file) - 1);
  const auto at = static_cast<std::streamoff>(part * last);
  stream.seekg(at);
  const int byte = stream.get();
  stream.seekp(at);
  stream.put(static_cast<char>(byte ^ 4));
}

/// The files below a folder with an ending such as ".chunk", sorted.
inline std::vector<std::filesystem::path> files_with_ending(const std::filesystem::path& folder,
                                                            std::string_view ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ending) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace peal::util

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace peal::util {

/// The audio of a file: channels of equal length, integers scaled to -1 ... 1.
struct AudioFile {
  std::int64_t rate = 0;  ///< samples per second
  std::vector<std::vector<float>> channels;
};

/// Reads WAV (also RF64, W64), FLAC, Ogg, AIFF, AU or CAF. Throws InputError if the file has
/// another format, is empty or truncated, or contains samples that are not finite.
AudioFile read_audio(const std::filesystem::path& path);
/// Parses an audio file from bytes; `name` is for messages.
AudioFile parse_audio(std::string_view bytes, const std::string& name);

/// Writes 32-bit float WAV, or RF64 above 4 GB. Equal samples give equal bytes: the file contains
/// no time and no name.
void write_wav(const std::filesystem::path& path, std::int64_t rate,
               const std::vector<std::vector<float>>& channels);

}  // namespace peal::util

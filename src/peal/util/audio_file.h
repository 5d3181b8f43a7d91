#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace peal::util {

/// Sound as a file holds it: channels of equal length, whole numbers scaled to -1 ... 1.
struct AudioFile {
  std::int64_t rate = 0;  ///< samples per second
  std::vector<std::vector<float>> channels;
};

/// Reads WAV (also RF64, W64), FLAC, Ogg, AIFF, AU or CAF. Throws InputError for what is none of
/// them, is empty or cut short, or holds samples that are not finite.
AudioFile read_audio(const std::filesystem::path& path);
/// The same from bytes; `name` is for messages.
AudioFile parse_audio(std::string_view bytes, const std::string& name);

/// Writes 32-bit float WAV, or RF64 where 4 GB are not enough. The same samples give the same
/// bytes: the file holds no time and no name.
void write_wav(const std::filesystem::path& path, std::int64_t rate,
               const std::vector<std::vector<float>>& channels);

}  // namespace peal::util

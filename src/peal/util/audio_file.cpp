#include <peal/util/audio_file.h>
#include <peal/util/error.h>
#include <peal/util/files.h>

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace peal::util {

namespace {

constexpr const char* known_formats = "Peal reads WAV, FLAC, Ogg, AIFF, AU and CAF.";
constexpr std::size_t frames_per_block = 4096;  ///< frames read at a time

/// Largest decoded size of a file, because a silent FLAC of a few bytes can decode to hours.
constexpr std::uint64_t always_allowed_samples = 10'000'000;
constexpr std::uint64_t most_samples_per_byte = 256;

struct CloseSound {
  void operator()(SNDFILE* sound) const { sf_close(sound); }
};
using Sound = std::unique_ptr<SNDFILE, CloseSound>;

/// An in-memory file for libsndfile.
struct Memory {
  std::string_view bytes;
  sf_count_t position = 0;

  static sf_count_t length(void* self) {
    return static_cast<sf_count_t>(static_cast<Memory*>(self)->bytes.size());
  }
  static sf_count_t seek(sf_count_t offset, int whence, void* self) {
    auto& memory = *static_cast<Memory*>(self);
    const sf_count_t from = whence == SEEK_SET   ? 0
                            : whence == SEEK_CUR ? memory.position
                                                 : length(self);
    sf_count_t target;
    if (__builtin_add_overflow(from, offset, &target)) return -1;
    if (target < 0 || target > length(self)) return -1;
    return memory.position = target;
  }
  static sf_count_t read(void* to, sf_count_t count, void* self) {
    auto& memory = *static_cast<Memory*>(self);
    const sf_count_t taken =
        std::clamp<sf_count_t>(length(self) - memory.position, 0, std::max<sf_count_t>(count, 0));
    std::memcpy(to, memory.bytes.data() + memory.position, static_cast<std::size_t>(taken));
    memory.position += taken;
    return taken;
  }
  static sf_count_t write(const void*, sf_count_t, void*) { return 0; }
  static sf_count_t tell(void* self) { return static_cast<Memory*>(self)->position; }
};

[[noreturn]] void fail(const std::string& name, const std::string& problem,
                       const std::string& hint = {}) {
  throw InputError({name, ""}, problem, hint);
}

/// libsndfile also guesses old formats from weak evidence, so only files of known formats are
/// passed to it.
void check_kind(std::string_view bytes, const std::string& name) {
  static constexpr std::array kinds = {"RIFF", "RIFX", "RF64", "riff", "fLaC",
                                       "OggS", "FORM", ".snd", "caff"};
  if (bytes.empty()) fail(name, "is empty");
  const bool known = std::any_of(kinds.begin(), kinds.end(),
                                 [&](const char* kind) { return bytes.starts_with(kind); });
  if (!known) fail(name, "is not a sound file", known_formats);
}

std::uint32_t word(std::string_view bytes, std::size_t offset) {
  std::uint32_t value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// libsndfile accepts a truncated WAV as a shorter one. Programs that write to a pipe cannot know
/// the length and write 0 or the largest number.
void check_wav_is_whole(std::string_view bytes, const std::string& name) {
  if (!bytes.starts_with("RIFF")) return;
  for (std::size_t offset = 12; bytes.size() >= 8 && offset <= bytes.size() - 8;) {
    const std::size_t size = word(bytes, offset + 4);
    const std::size_t left = bytes.size() - offset - 8;
    if (bytes.substr(offset, 4) == "data") {
      if (size > left && size < 0xFFFFFF00) {
        throw InputError(
            {name, fmt::format("byte {}", offset + 4)},
            fmt::format("is cut short: {} bytes of audio expected, {} found", size, left));
      }
      return;
    }
    if (size > left) return;
    offset += 8 + size + size % 2;
  }
}

void check_info(const SF_INFO& info, const std::string& name) {
  if (info.channels < 1) fail(name, "has no channels");
  if (info.samplerate < 1000 || info.samplerate > 1'000'000) {
    fail(name,
         fmt::format("has a rate of {} samples per second; from 1000 to 1000000 are supported",
                     info.samplerate));
  }
}

/// Relies on the data read, not on the header's length, so that memory stays proportional to the
/// file.
std::vector<std::vector<float>> read_channels(SNDFILE* sound, const SF_INFO& info,
                                              std::uint64_t most, const std::string& name) {
  const auto count = static_cast<std::size_t>(info.channels);
  std::vector<std::vector<float>> channels(count);
  std::vector<float> block(frames_per_block * count);
  for (std::uint64_t samples = 0;;) {
    const sf_count_t frames = sf_readf_float(sound, block.data(), frames_per_block);
    if (frames <= 0) break;
    samples += static_cast<std::uint64_t>(frames) * count;
    if (samples > most) fail(name, fmt::format("unpacks to more than {} samples", most));
    for (std::size_t c = 0; c < count; ++c) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(frames); ++i) {
        const float sample = block[i * count + c];
        if (!std::isfinite(sample)) {
          fail(name, fmt::format("sample {} of channel {} is not a finite number",
                                 channels[c].size(), c));
        }
        channels[c].push_back(sample);
      }
    }
  }
  if (channels[0].empty()) fail(name, "contains no samples");
  if (sf_error(sound) != SF_ERR_NO_ERROR) {
    fail(name,
         fmt::format("is damaged after {} samples: {}", channels[0].size(), sf_strerror(sound)));
  }
  return channels;
}

std::uint64_t riff_bytes(std::uint64_t samples) {
  return 4 * samples + 128;
}

void write_all(SNDFILE* sound, const std::vector<std::vector<float>>& channels) {
  const std::size_t count = channels.size(), frames = channels[0].size();
  std::vector<float> block(frames_per_block * count);
  for (std::size_t done = 0; done < frames;) {
    const std::size_t now = std::min(frames_per_block, frames - done);
    for (std::size_t i = 0; i < now; ++i) {
      for (std::size_t c = 0; c < count; ++c) block[i * count + c] = channels[c][done + i];
    }
    const auto wanted = static_cast<sf_count_t>(now);
    if (sf_writef_float(sound, block.data(), wanted) != wanted) {
      throw InputError({}, sf_strerror(sound));
    }
    done += now;
  }
}

}  // namespace

AudioFile parse_audio(std::string_view bytes, const std::string& name) {
  check_kind(bytes, name);
  check_wav_is_whole(bytes, name);
  Memory memory{bytes};
  SF_VIRTUAL_IO io{&Memory::length, &Memory::seek, &Memory::read, &Memory::write, &Memory::tell};
  SF_INFO info{};
  const Sound sound(sf_open_virtual(&io, SFM_READ, &info, &memory));
  if (!sound) {
    fail(name, fmt::format("cannot be read as sound: {}", sf_strerror(nullptr)), known_formats);
  }
  check_info(info, name);
  AudioFile audio;
  audio.rate = info.samplerate;
  audio.channels = read_channels(
      sound.get(), info, always_allowed_samples + most_samples_per_byte * bytes.size(), name);
  const bool compressed = bytes.starts_with("fLaC") || bytes.starts_with("OggS");
  if (compressed && static_cast<sf_count_t>(audio.channels[0].size()) < info.frames) {
    fail(name, fmt::format("is cut short: {} samples are announced, {} are there", info.frames,
                           audio.channels[0].size()));
  }
  return audio;
}

AudioFile read_audio(const std::filesystem::path& path) {
  check_kind(first_bytes(path, 4), path.string());
  return parse_audio(read_file(path), path.string());
}

void write_wav(const std::filesystem::path& path, std::int64_t rate,
               const std::vector<std::vector<float>>& channels) {
  if (channels.empty()) throw std::invalid_argument("a sound file needs a channel");
  for (const auto& channel : channels) {
    if (channel.size() != channels[0].size()) {
      throw std::invalid_argument("channels of a sound file differ in length");
    }
  }
  const bool large = riff_bytes(channels.size() * channels[0].size()) > 0xFFFFFFFF;
  SF_INFO info{};
  info.samplerate = static_cast<int>(rate);
  info.channels = static_cast<int>(channels.size());
  info.format = (large ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | SF_FORMAT_FLOAT;
  write_file(path, [&](const std::filesystem::path& temporary) {
    Sound sound(sf_open(temporary.c_str(), SFM_WRITE, &info));
    if (!sound) fail(path.string(), fmt::format("cannot write: {}", sf_strerror(nullptr)));
    // The PEAK chunk contains the time of writing.
    sf_command(sound.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);
    try {
      write_all(sound.get(), channels);
    } catch (const InputError& error) {
      fail(path.string(), "cannot write: " + error.problem());
    }
    if (sf_close(sound.release()) != 0) fail(path.string(), "cannot write: is the disk full?");
  });
}

}  // namespace peal::util

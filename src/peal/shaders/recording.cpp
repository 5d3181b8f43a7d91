#include <peal/shaders/recording.h>
#include <peal/util/audio_file.h>
#include <peal/util/error.h>
#include <peal/util/rate_converter.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace peal::shaders {

namespace {

/// A loop must stay a loop: it gets a whole number of samples (a change of pitch by less than half
/// a sample in its length), and is converted between copies of itself, so that its ends meet.
std::vector<float> converted_loop(const std::vector<float>& samples, std::int64_t from_hz,
                                  std::int64_t to_hz) {
  if (from_hz == to_hz) return samples;
  const auto size = static_cast<std::int64_t>(samples.size());
  const std::int64_t new_size = std::max<std::int64_t>(1, (size * to_hz + from_hz / 2) / from_hz);
  std::vector<float> thrice;
  for (int copy = 0; copy < 3; ++copy) thrice.insert(thrice.end(), samples.begin(), samples.end());
  const std::vector<float> converted = util::convert(thrice, size, new_size);
  return {converted.begin() + new_size, converted.begin() + 2 * new_size};
}

}  // namespace

Recording::Recording(const scene::WavSound& sound, base::Rate rate,
                     std::vector<std::string>& notices)
    : rate_(rate), loop_(sound.loop) {
  const util::AudioFile file = util::read_audio(sound.file);
  const std::size_t count = file.channels.size();
  if (sound.channel < 0 || static_cast<std::size_t>(sound.channel) >= count) {
    throw util::InputError(
        {sound.file.string(), ""},
        fmt::format("has {} channel(s), but the scene plays channel {}", count, sound.channel),
        fmt::format("Channels are counted from 0: the last one is {}.", count - 1));
  }
  const std::string name = sound.file.filename().string();
  if (count > 1) {
    notices.push_back(
        fmt::format("{} has {} channels; one is played: channel {}", name, count, sound.channel));
  }
  if (file.rate != rate.hz) {
    notices.push_back(
        fmt::format("{} is converted from {} Hz to the scene's {} Hz", name, file.rate, rate.hz));
  }
  const std::vector<float>& channel = file.channels[sound.channel];
  samples_ = loop_ ? converted_loop(channel, file.rate, rate.hz)
                   : util::convert(channel, file.rate, rate.hz);
}

void Recording::fill([[maybe_unused]] base::Rate rate, std::int64_t first,
                     std::span<float> out) const {
  assert(rate == rate_);
  const auto size = static_cast<std::int64_t>(samples_.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = samples_[(first + static_cast<std::int64_t>(i)) % size];
  }
}

std::optional<std::int64_t> Recording::length(base::Rate) const {
  if (loop_) return std::nullopt;
  return static_cast<std::int64_t>(samples_.size());
}

}  // namespace peal::shaders

#include <peal/render/end_fade.h>
#include <peal/util/smoothstep.h>
#include <peal/util/spectrum.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace peal::render {

namespace {

constexpr double fade_time = 0.01;          // [s]
constexpr double largest_part = 0.1;        // of the sound that is faded
constexpr double inaudible_end_db = -60.0;  // below the peak

std::size_t fade_samples(const base::Audio& audio) {
  const std::size_t length = audio.channels.front().size();
  return static_cast<std::size_t>(
      std::min(audio.rate.samples(fade_time), largest_part * static_cast<double>(length)));
}

}  // namespace

void fade_ends(Sound& sound) {
  for (ListenerAudio& one : sound.listeners) {
    const std::size_t count = fade_samples(one.audio);
    double peak = 0.0, end_peak = 0.0, end_power = 0.0;
    for (std::vector<float>& channel : one.audio.channels) {
      const auto end = std::span(channel).last(count);
      for (const float p : channel) peak = std::max(peak, std::abs(static_cast<double>(p)));
      double power = 0.0;
      for (std::size_t i = 0; i < count; ++i) {
        const auto p = static_cast<double>(end[i]);
        end_peak = std::max(end_peak, std::abs(p));
        power += p * p / static_cast<double>(count);
        const double passed = static_cast<double>(i + 1) / static_cast<double>(count);
        end[i] = static_cast<float>(p * (1.0 - util::smoothstep(passed)));
      }
      end_power = std::max(end_power, power);
    }
    if (!(end_peak > 0.0)) continue;
    const double below = 20.0 * std::log10(end_peak / peak);
    if (below < inaudible_end_db) continue;
    sound.notices.push_back(
        fmt::format("\"{}\" still sounds at the end, at {:.0f} dB SPL, {:.0f} dB below its peak, "
                    "and fades out in the last {:.3g} ms; --tail SECONDS renders longer",
                    one.listener, util::level_db(end_power), -below + 0.0,
                    1e3 * one.audio.rate.seconds(static_cast<std::int64_t>(count))));
  }
}

}  // namespace peal::render

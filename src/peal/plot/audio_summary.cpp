#include <peal/plot/audio_summary.h>
#include <peal/util/spectrum.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace peal::plot {

AudioSummary::AudioSummary(Channels channels, double sample_rate, Unit unit)
    : sample_rate_(sample_rate), unit_(unit) {
  if (!(sample_rate > 0.0) || !std::isfinite(sample_rate)) {
    throw std::invalid_argument("plot: the sample rate must be positive");
  }
  for (const std::span<const float> channel : channels) add(channel);
}

void AudioSummary::add(std::span<const float> channel) {
  std::size_t bad = 0;
  for (std::size_t i = 0; i < channel.size(); ++i) {
    const double x = channel[i];
    if (!std::isfinite(x)) {
      if (bad++ == 0) first_bad_ = bad_samples_ == 0 ? i : std::min(first_bad_, i);
      continue;
    }
    peak_ = std::max(peak_, std::abs(x));
    square_sum_ += x * x;
    ++counted_;
  }
  bad_samples_ += bad;
  samples_ = std::max(samples_, channel.size());
  if (bad > 0) {
    std::vector<float> copy(channel.begin(), channel.end());
    std::replace_if(
        copy.begin(), copy.end(), [](float x) { return !std::isfinite(x); }, 0.0f);
    cleaned_.push_back(std::move(copy));
    channel = cleaned_.back();
  }
  channels_.push_back(channel);
}

double AudioSummary::duration() const {
  return static_cast<double>(samples_) / sample_rate_;
}

double AudioSummary::reference() const {
  return unit_ == Unit::pascal ? util::reference_pressure : 1.0;
}

std::string AudioSummary::level_label() const {
  return unit_ == Unit::pascal ? "dB re 20 µPa" : "dB re 1";
}

std::string AudioSummary::notice() const {
  if (samples_ == 0) return "no samples";
  if (!silent()) return "";
  return bad_samples_ == 0 ? "silence" : "no finite sample but zeros";
}

std::string AudioSummary::warning() const {
  if (bad_samples_ == 0) return "";
  return fmt::format(
      "{} not finite (NaN or infinite), the first at {}; drawn as zero",
      bad_samples_ == 1 ? "1 sample is" : fmt::format("{} samples are", bad_samples_),
      si_text(static_cast<double>(first_bad_) / sample_rate_, 5, "s"));
}

std::string AudioSummary::subtitle() const {
  const double rms = counted_ > 0 ? std::sqrt(square_sum_ / static_cast<double>(counted_)) : 0.0;
  const auto amplitude = [&](double value) {
    const std::string text = si_text(value, 3, unit_ == Unit::pascal ? "Pa" : "");
    if (value == 0.0) return text;
    const double level = util::level_db(value * value, reference());
    return fmt::format("{} ({}{:.1f} dB)", text, level < 0.0 ? "−" : "", std::abs(level));
  };
  std::vector<std::string> parts = {
      duration() >= 0.1 ? fmt::format("{:.3f} s", duration()) : si_text(duration(), 4, "s"),
      fmt::format("{} kHz", sample_rate_ / 1000.0),
      channels() == 1   ? "mono"
      : channels() == 2 ? "stereo"
                        : fmt::format("{} channels", channels()),
      "peak " + amplitude(peak_), "RMS " + amplitude(rms)};
  return fmt::format("{}", fmt::join(parts, "  ·  ")) +
         (unit_ == Unit::pascal ? "  re 20 µPa" : "");
}

std::string AudioSummary::channel_name(std::size_t i) const {
  if (channels() == 1) return "";
  if (channels() == 2) return i == 0 ? "left" : "right";
  return fmt::format("channel {}", i + 1);
}

}  // namespace peal::plot

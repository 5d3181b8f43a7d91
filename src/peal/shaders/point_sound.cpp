#include <peal/shaders/click.h>
#include <peal/shaders/noise.h>
#include <peal/shaders/point_sound.h>
#include <peal/shaders/recording.h>
#include <peal/shaders/tone.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::shaders {

namespace {

/// Makes the waveform of each kind of sound; a new kind adds a line here.
struct MakeWaveform {
  const ShaderContext& context;

  std::unique_ptr<Waveform> operator()(const scene::WavSound& sound) const {
    return std::make_unique<Recording>(sound, context.rate, *context.notices);
  }
  std::unique_ptr<Waveform> operator()(const scene::ToneSound& sound) const {
    return std::make_unique<Tone>(sound);
  }
  std::unique_ptr<Waveform> operator()(const scene::ClickSound& sound) const {
    return std::make_unique<Click>(sound);
  }
  std::unique_ptr<Waveform> operator()(const scene::NoiseSound& sound) const {
    return std::make_unique<Noise>(sound, context.seed, context.stream);
  }
};

/// Sounds that start at full strength are faded; recordings and clicks have their own ends.
template <class Sound>
double fade_of(const Sound& sound) {
  if constexpr (requires { sound.fade; }) {
    return sound.fade;
  } else {
    return 0.0;
  }
}

constexpr double cut_fade = 0.005;  ///< of what `duration` ends before its own end [s]

/// Raised cosine from 0 to 1 over `length` samples.
double ramp(std::int64_t sample, double length) {
  const double x = (static_cast<double>(sample) + 0.5) / length;
  return x >= 1.0 ? 1.0 : 0.5 - 0.5 * std::cos(std::numbers::pi * x);
}

}  // namespace

PointSound::PointSound(std::unique_ptr<const Waveform> waveform, const scene::PointSound& sound,
                       double fade)
    : waveform_(std::move(waveform)),
      start_(sound.start),
      duration_(sound.duration),
      gain_(sound.pressure_at_1m),
      fade_(fade) {}

base::SampleRange PointSound::playing(base::Rate rate) const {
  const auto start = static_cast<std::int64_t>(std::llround(rate.samples(start_)));
  std::int64_t length = waveform_->length(rate).value_or(std::numeric_limits<std::int64_t>::max());
  if (duration_) {
    length = std::min(length, static_cast<std::int64_t>(std::llround(rate.samples(*duration_))));
  }
  const std::int64_t for_ever = std::numeric_limits<std::int64_t>::max() - std::abs(start);
  return {start, start + std::min(length, for_ever)};
}

bool PointSound::is_cut(base::Rate rate) const {
  const auto length = waveform_->length(rate);
  return duration_ && (!length || rate.samples(*duration_) < static_cast<double>(*length));
}

base::Signal PointSound::strength(base::Rate rate, base::SampleRange range) const {
  const base::SampleRange whole = playing(rate);
  const base::SampleRange part{std::max(whole.begin, range.begin), std::min(whole.end, range.end)};
  base::Signal signal{.rate = rate, .start = part.begin};
  signal.samples.resize(static_cast<std::size_t>(part.size()));
  waveform_->fill(rate, part.begin - whole.begin, signal.samples);
  const double rise = std::max(rate.samples(fade_), 1e-9);
  const double fall = is_cut(rate) ? std::max(rate.samples(cut_fade), rise) : rise;
  for (std::int64_t n = part.begin; n < part.end; ++n) {
    const double gain = gain_ * ramp(n - whole.begin, rise) * ramp(whole.end - 1 - n, fall);
    float& sample = signal.samples[n - part.begin];
    sample = static_cast<float>(gain * static_cast<double>(sample));
  }
  return signal;
}

std::shared_ptr<const base::PointShader> make_point_shader(const scene::PointSound& sound,
                                                           const ShaderContext& context) {
  const double fade = std::visit([](const auto& signal) { return fade_of(signal); }, sound.signal);
  return std::make_shared<PointSound>(std::visit(MakeWaveform{context}, sound.signal), sound, fade);
}

}  // namespace peal::shaders

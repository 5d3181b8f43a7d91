#include <peal/shaders/click.h>
#include <peal/shaders/noise.h>
#include <peal/shaders/playback.h>
#include <peal/shaders/recording.h>
#include <peal/shaders/tone.h>
#include <peal/util/rate_converter.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace peal::shaders {

using base::Rate;
using base::SampleRange;
using base::Signal;

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

std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Samples on either side that a converted sample may depend on: libsamplerate's best filter
/// reaches 143 of the lower rate.
constexpr std::int64_t filter_reach = 512;

/// A signal is converted in blocks that lie where both clocks tick together, each with some of its
/// neighbours, so that a sample does not depend on what else was asked for.
struct Blocks {
  Blocks(Rate from, Rate to) {
    const base::CommonTick tick(from, to);
    const std::int64_t own_tick = tick.samples, other_tick = tick.other_samples;
    const auto ticks = [&](std::int64_t samples) { return (samples + own_tick - 1) / own_tick; };
    // A lower rate widens the filter.
    const std::int64_t wide = std::max<std::int64_t>(1, from.hz / to.hz);
    size = ticks(16384) * own_tick;
    margin = ticks(filter_reach * wide) * own_tick;
    other_size = ticks(16384) * other_tick;
    other_margin = ticks(filter_reach * wide) * other_tick;
  }

  std::int64_t size, margin;              ///< at the own rate
  std::int64_t other_size, other_margin;  ///< at the other
};

}  // namespace

Playback::Playback(const scene::SignalSound& sound, const PlayingTime& time,
                   const ShaderContext& context)
    : rate_(context.rate),
      waveform_(std::visit(MakeWaveform{context}, sound)),
      time_(time),
      fade_(std::visit([](const auto& signal) { return fade_of(signal); }, sound)) {}

SampleRange Playback::playing() const {
  const auto start = static_cast<std::int64_t>(std::llround(rate_.samples(time_.start)));
  std::int64_t length = waveform_->length(rate_).value_or(std::numeric_limits<std::int64_t>::max());
  if (time_.duration) {
    length =
        std::min(length, static_cast<std::int64_t>(std::llround(rate_.samples(*time_.duration))));
  }
  const std::int64_t for_ever = std::numeric_limits<std::int64_t>::max() - std::abs(start);
  return {start, start + std::min(length, for_ever)};
}

bool Playback::is_cut() const {
  const auto length = waveform_->length(rate_);
  return time_.duration &&
         (!length || rate_.samples(*time_.duration) < static_cast<double>(*length));
}

Signal Playback::play(Rate rate, SampleRange range) const {
  if (rate == rate_) return play_own(range);
  // The filter sounds a little before and after its input.
  const std::int64_t wide = Blocks(rate_, rate).margin;
  const SampleRange whole = playing();
  const SampleRange asked{floor_divided(range.begin * rate_.hz, rate.hz),
                          floor_divided(range.end * rate_.hz, rate.hz) + 1};
  const std::int64_t begin = std::max(asked.begin, whole.begin - wide);
  const std::int64_t end =
      whole.end > asked.end ? asked.end : std::min(asked.end, whole.end + wide);
  Signal signal{.rate = rate, .start = range.begin};
  if (end <= begin) return signal;
  signal.start = std::max(range.begin, floor_divided(begin * rate.hz, rate_.hz));
  const std::int64_t last = std::min(range.end, floor_divided(end * rate.hz, rate_.hz) + 1);
  signal.samples.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, last - signal.start)));

  const std::int64_t size = Blocks(rate_, rate).other_size;
  for (std::int64_t block = floor_divided(signal.start, size); block * size < last; ++block) {
    convert_block(block, signal);
  }
  return signal;
}

void Playback::convert_block(std::int64_t block, Signal& out) const {
  const Blocks blocks(rate_, out.rate);
  const SampleRange own{block * blocks.size - blocks.margin,
                        (block + 1) * blocks.size + blocks.margin};
  const Signal part = play_own(own);
  if (part.samples.empty()) return;
  std::vector<float> padded(static_cast<std::size_t>(own.size()), 0.0f);
  std::ranges::copy(part.samples, padded.begin() + (part.start - own.begin));
  const std::vector<float> converted = util::convert(padded, rate_.hz, out.rate.hz);

  const std::int64_t first = block * blocks.other_size;
  const std::int64_t out_end = out.start + static_cast<std::int64_t>(out.samples.size());
  const std::int64_t end = std::min(first + blocks.other_size, out_end);
  for (std::int64_t n = std::max(first, out.start); n < end; ++n) {
    out.samples[n - out.start] = converted[n - first + blocks.other_margin];
  }
}

Signal Playback::play_own(SampleRange range) const {
  const SampleRange whole = playing();
  const SampleRange part{std::max(whole.begin, range.begin), std::min(whole.end, range.end)};
  Signal signal{.rate = rate_, .start = part.begin};
  if (part.empty()) return signal;
  signal.samples.resize(static_cast<std::size_t>(part.size()));
  waveform_->fill(rate_, part.begin - whole.begin, signal.samples);
  const double rise = std::max(rate_.samples(fade_), 1e-9);
  const double fall = is_cut() ? std::max(rate_.samples(cut_fade), rise) : rise;
  const auto scale = [&](std::int64_t n, double gain) {
    float& sample = signal.samples[n - part.begin];
    sample = static_cast<float>(gain * static_cast<double>(sample));
  };
  // Between its fades the gain is constant.
  const std::int64_t risen =
      std::clamp(whole.begin + static_cast<std::int64_t>(rise) + 1, part.begin, part.end);
  const std::int64_t falls =
      std::clamp(whole.end - 1 - static_cast<std::int64_t>(fall) - 1, risen, part.end);
  const auto fade = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n)
      scale(n, time_.gain * ramp(n - whole.begin, rise) * ramp(whole.end - 1 - n, fall));
  };
  fade(part.begin, risen);
  for (std::int64_t n = risen; n < falls; ++n) scale(n, time_.gain);
  fade(falls, part.end);
  return signal;
}

}  // namespace peal::shaders

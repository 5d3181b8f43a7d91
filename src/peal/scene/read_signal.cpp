#include <peal/scene/read_signal.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

constexpr double longest_fade = 60.0;  // [s]

WavSound read_wav(const JsonValue& value, const ReadContext& context) {
  WavSound wav;
  if (value.json().is_string()) {
    wav.file = existing_file(value, value.text("the name of a WAV file"), context);
    return wav;
  }
  JsonObject object(value, "the name of a WAV file, or its settings");
  if (const auto file = object.require("file", "\"file\": \"ring.wav\"")) {
    wav.file = existing_file(*file, file->text("the name of a WAV file"), context);
  }
  if (const auto channel = object.find("channel")) {
    wav.channel = static_cast<int>(channel->integer(0, 255));
  }
  wav.loop = object.boolean("loop", wav.loop);
  object.finish();
  return wav;
}

constexpr std::size_t most_harmonics = 256;

/// The highest overtone that sounds must stay below half the sample rate.
void check_band(const JsonValue& value, const ToneSound& tone, const ReadContext& context) {
  const auto last = std::find_if(tone.harmonics.rbegin(), tone.harmonics.rend(),
                                 [](double amplitude) { return amplitude != 0.0; });
  if (last == tone.harmonics.rend()) {
    value.report("all harmonics are zero: the tone is silent", "For example: [1, 0.5, 0.25]");
    return;
  }
  const auto order = static_cast<double>(tone.harmonics.rend() - last);
  const double highest = order * tone.frequency, nyquist = context.rate.nyquist();
  if (highest < nyquist) return;
  value.report(fmt::format("harmonic {} is at {:g} Hz, above half the sample rate ({:g} Hz)", order,
                           highest, nyquist),
               fmt::format("Give at most {} harmonics of {:g} Hz.",
                           std::ceil(nyquist / tone.frequency) - 1.0, tone.frequency));
}

ToneSound read_tone(const JsonValue& value, const ReadContext& context) {
  const util::NumberRange band = {.min = 0.1,
                                  .max = context.rate.nyquist(),
                                  .unit = "Hz",
                                  .reason = "half the sample rate",
                                  .below_max = true};
  ToneSound tone;
  if (value.json().is_number()) {
    tone.frequency = value.number(band);
    return tone;
  }
  JsonObject object(value, "a frequency in Hz, or a tone");
  const std::size_t problems = value.problems().count();
  tone.frequency = object.required_number("frequency", band, "\"frequency\": 440 in hertz");
  if (const auto list = object.find("harmonics")) {
    tone.harmonics.clear();
    for (const JsonValue& item : list->list(1, "a list of amplitudes")) {
      tone.harmonics.push_back(item.number({-1e3, 1e3}));
    }
    if (tone.harmonics.size() > most_harmonics) {
      list->report(
          fmt::format("{} harmonics are too many", tone.harmonics.size()),
          fmt::format("Give at most {}; a recording can hold any waveform.", most_harmonics));
    }
    if (value.problems().count() == problems) check_band(*list, tone, context);
  }
  tone.phase =
      object.number("phase_degrees", {-360, 360, "degrees"}, 0.0) * std::numbers::pi / 180.0;
  tone.fade = object.number("fade", {0, longest_fade, "s"}, tone.fade);
  object.finish();
  return tone;
}

ClickSound read_click(const JsonValue& value, const ReadContext& context) {
  JsonObject object(value, "a click");
  ClickSound click;
  click.width = object.number(
      "width",
      {.min = context.rate.step(), .max = 0.1, .unit = "s", .reason = "from one sample on"},
      std::max(click.width, 2.0 * context.rate.step()));
  click.period = object.number("period", {.min = 1e-3, .max = 3600, .unit = "s"}, click.period);
  object.finish();
  return click;
}

NoiseSound read_noise(const JsonValue& value, const ReadContext& context) {
  static const std::vector<std::string> colours = {"white", "pink"};
  const auto colour = [&](const JsonValue& word) {
    return word.word(colours) == "pink" ? NoiseSound::Colour::pink : NoiseSound::Colour::white;
  };
  NoiseSound noise;
  const double nyquist = context.rate.nyquist();
  noise.high = std::min(noise.high, nyquist);
  if (value.json().is_string()) {
    noise.colour = colour(value);
    return noise;
  }
  JsonObject object(value, "\"white\", \"pink\", or a noise");
  if (const auto word = object.find("colour")) noise.colour = colour(*word);
  const util::NumberRange band = {
      .min = 1.0, .max = nyquist, .unit = "Hz", .reason = "half the sample rate"};
  noise.low = object.number("low", band, noise.low);
  noise.high = object.number("high", band, noise.high);
  noise.fade = object.number("fade", {0, longest_fade, "s"}, noise.fade);
  object.finish();
  if (noise.low >= noise.high) {
    value.report(fmt::format("the band from {:g} to {:g} Hz is empty", noise.low, noise.high),
                 "\"low\" must be below \"high\".");
  }
  return noise;
}

}  // namespace

SignalSound read_signal(JsonObject& object, const ReadContext& context) {
  static const std::vector<std::string> kinds = {"wav", "tone", "click", "noise"};
  const auto kind = object.one_of(kinds, "\"tone\": {\"frequency\": 440}");
  if (!kind || kind->key == "tone") return kind ? read_tone(kind->value, context) : ToneSound{};
  if (kind->key == "wav") return read_wav(kind->value, context);
  if (kind->key == "click") return read_click(kind->value, context);
  return read_noise(kind->value, context);
}

PlayingTime read_playing_time(JsonObject& object, const ReadContext& context) {
  PlayingTime time;
  time.start = object.number("start",
                             {.min = 0,
                              .max = context.duration,
                              .unit = "s",
                              .reason = "the end of the scene",
                              .below_max = true},
                             time.start);
  if (const auto duration = object.find("duration")) {
    time.duration = duration->number({.min = 0, .max = 3600, .unit = "s", .above_min = true});
  }
  return time;
}

}  // namespace peal::scene

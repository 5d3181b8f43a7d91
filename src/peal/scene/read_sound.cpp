#include <peal/scene/read_signal.h>
#include <peal/scene/read_sound.h>

#include <algorithm>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

namespace {

PointSound read_point(const JsonValue& value, const ReadContext& context) {
  JsonObject object(value, "a point source");
  PointSound point{.signal = read_signal(object, context)};
  if (const auto offset = object.find("offset")) point.offset = read_position(*offset);
  point.pressure_at_1m = object.number(
      "pressure_at_1m",
      {.min = 0, .max = 1e5, .unit = "Pa", .reason = "about the pressure of the air itself"},
      point.pressure_at_1m);
  const PlayingTime time = read_playing_time(object, context);
  point.start = time.start;
  point.duration = time.duration;
  object.finish();
  return point;
}

ModalSound::Click read_contact_click(const JsonValue& value) {
  JsonObject object(value, "the noise of the contact");
  ModalSound::Click click;
  click.level = object.number("level", {.min = 0, .max = 100}, click.level);
  click.duration =
      object.number("duration", {.min = 0.001, .max = 0.1, .unit = "s"}, click.duration);
  object.finish();
  return click;
}

/// "modal" or the value of {"modal": ...}.
ModalSound read_modal(const JsonValue& value, const SoundingSurface& surface,
                      const ReadContext& context) {
  ModalSound modal;
  modal.max_frequency = std::min(modal.max_frequency, 0.9 * context.rate.nyquist());
  if (!surface.given) {
    value.report("a modal sound is that of a body, and this object has none",
                 "Give the object a \"mesh\" or a \"shape\".");
  } else if (surface.deforms) {
    value.report("the modes of a body that changes its shape are not known",
                 "Give a mesh that keeps its shape.");
  }
  if (!surface.has_material) {
    value.report("a modal sound needs to know what the object is made of",
                 "For example: \"material\": \"steel\"");
  }
  if (value.json().is_string()) return modal;
  JsonObject object(value, "a modal sound");
  modal.max_frequency = object.number("max_frequency",
                                      {.min = 20,
                                       .max = context.rate.nyquist(),
                                       .unit = "Hz",
                                       .reason = "half the sample rate",
                                       .below_max = true},
                                      modal.max_frequency);
  if (const auto click = object.find("click")) modal.click = read_contact_click(*click);
  object.finish();
  return modal;
}

/// "acceleration_noise" or the value of {"acceleration_noise": ...}.
AccelerationNoiseSound read_acceleration_noise(const JsonValue& value,
                                               const SoundingSurface& surface) {
  AccelerationNoiseSound noise;
  if (!surface.given || surface.deforms) {
    value.report("acceleration noise is that of a rigid body",
                 "Give the object a \"mesh\" or a \"shape\".");
  }
  if (!surface.has_material) {
    value.report("acceleration noise needs to know what the object is made of",
                 "For example: \"material\": \"steel\"");
  }
  if (value.json().is_string()) return noise;
  JsonObject object(value, "acceleration noise");
  static const std::vector<std::string> profiles = {"half_sine", "hertz"};
  if (const auto profile = object.find("profile"); profile && profile->word(profiles) == "hertz") {
    noise.profile = base::PulseProfile::hertz;
  }
  object.finish();
  return noise;
}

}  // namespace

Sound read_sound(const JsonValue& value, const SoundingSurface& surface,
                 const ReadContext& context) {
  static const std::vector<std::string> words = {"modal", "acceleration_noise"};
  if (value.json().is_string()) {
    if (value.word(words) == "acceleration_noise") return read_acceleration_noise(value, surface);
    return read_modal(value, surface, context);
  }
  JsonObject object(value, "a sound, {\"point\": {...}}");
  static const std::vector<std::string> kinds = {"point", "speaker", "modal", "acceleration_noise"};
  const auto kind = object.one_of(kinds, "{\"point\": {\"tone\": 440}}");
  Sound sound;
  if (kind && kind->key == "point") sound = read_point(kind->value, context);
  if (kind && kind->key == "speaker") sound = read_speaker(kind->value, surface, context);
  if (kind && kind->key == "modal") {
    if (kind->value.json().is_string())
      kind->value.report_kind("a modal sound: { ... }", "\"modal\": {}");
    sound = read_modal(kind->value, surface, context);
  }
  if (kind && kind->key == "acceleration_noise") {
    if (kind->value.json().is_string())
      kind->value.report_kind("acceleration noise: { ... }", "\"acceleration_noise\": {}");
    sound = read_acceleration_noise(kind->value, surface);
  }
  object.finish();
  return sound;
}

}  // namespace peal::scene

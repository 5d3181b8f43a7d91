#include <peal/scene/read_signal.h>
#include <peal/scene/read_sound.h>

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

}  // namespace

Sound read_sound(const JsonValue& value, const SoundingSurface& surface,
                 const ReadContext& context) {
  JsonObject object(value, "a sound, {\"point\": {...}}");
  static const std::vector<std::string> kinds = {"point", "speaker"};
  const auto kind = object.one_of(kinds, "{\"point\": {\"tone\": 440}}");
  Sound sound;
  if (kind && kind->key == "point") sound = read_point(kind->value, context);
  if (kind && kind->key == "speaker") sound = read_speaker(kind->value, surface, context);
  object.finish();
  return sound;
}

}  // namespace peal::scene

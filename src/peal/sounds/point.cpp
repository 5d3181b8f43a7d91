#include <peal/scene/describe.h>
#include <peal/scene/read_signal.h>
#include <peal/sounds/point.h>
#include <peal/sounds/shader_context.h>

#include <fmt/format.h>

namespace peal::sounds {

using util::JsonObject;
using util::JsonValue;

namespace {

class Point : public scene::SoundOf<PointSound> {
 public:
  using SoundOf::SoundOf;

  std::string describe() const override {
    return scene::describe(settings.signal) +
           fmt::format(", {:g} Pa at 1 m", settings.pressure_at_1m) +
           scene::describe_playing_time(settings.start, settings.duration);
  }
  bool is_point() const override { return true; }
  void add_to(scene::SoundContext& context) const override {
    context.world.sources.push_back(
        {.name = context.object.name,
         .motion = context.motion.motion,
         .offset = settings.offset,
         .shader = std::make_shared<PointPlayer>(settings, shader_context(context))});
  }
};

}  // namespace

std::shared_ptr<const scene::Sound> make_sound(const PointSound& settings) {
  return std::make_shared<Point>(settings);
}

std::shared_ptr<const scene::Sound> read_point(const JsonValue& value,
                                               const scene::SoundingSurface&,
                                               const scene::ReadContext& context) {
  JsonObject object(value, "a point source");
  PointSound point{.signal = scene::read_signal(object, context)};
  if (const auto offset = object.find("offset")) point.offset = scene::read_position(*offset);
  point.pressure_at_1m = object.number(
      "pressure_at_1m",
      {.min = 0, .max = 1e5, .unit = "Pa", .reason = "about the pressure of the air itself"},
      point.pressure_at_1m);
  const scene::PlayingTime time = scene::read_playing_time(object, context);
  point.start = time.start;
  point.duration = time.duration;
  object.finish();
  return make_sound(point);
}

PointPlayer::PointPlayer(const PointSound& sound, const shaders::ShaderContext& context)
    : playback_(sound.signal, {sound.start, sound.duration, sound.pressure_at_1m}, context) {}

base::Signal PointPlayer::strength(base::Rate rate, base::SampleRange range) const {
  return playback_.play(rate, range);
}

}  // namespace peal::sounds

#include <peal/shaders/point_sound.h>

namespace peal::shaders {

PointSound::PointSound(const scene::PointSound& sound, const ShaderContext& context)
    : playback_(sound.signal, {sound.start, sound.duration, sound.pressure_at_1m}, context) {}

base::Signal PointSound::strength(base::Rate rate, base::SampleRange range) const {
  return playback_.play(rate, range);
}

std::shared_ptr<const base::PointShader> make_point_shader(const scene::PointSound& sound,
                                                           const ShaderContext& context) {
  return std::make_shared<PointSound>(sound, context);
}

}  // namespace peal::shaders

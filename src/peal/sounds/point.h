#pragma once

#include <peal/base/point_shader.h>
#include <peal/scene/scene.h>
#include <peal/scene/sound.h>
#include <peal/shaders/playback.h>

#include <memory>
#include <optional>

namespace peal::sounds {

/// A point source on an object: {"point": {...}}.
struct PointSound {
  static constexpr const char* key = "point";

  scene::SignalSound signal;
  geometry::Vec3 offset = geometry::Vec3::Zero();  ///< in the object's frame [m]
  double pressure_at_1m = 1.0;                     ///< pressure [Pa] at 1 m for a signal value of 1
  double start = 0.0;                              ///< [s]
  std::optional<double> duration;  ///< [s]; to the end of the signal or the scene if absent
};

std::shared_ptr<const scene::Sound> make_sound(const PointSound& settings);
std::shared_ptr<const scene::Sound> read_point(const util::JsonValue& value,
                                               const scene::SoundingSurface& surface,
                                               const scene::ReadContext& context);

/// A waveform played by a point.
class PointPlayer : public base::PointShader {
 public:
  PointPlayer(const PointSound& sound, const shaders::ShaderContext& context);
  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  shaders::Playback playback_;
};

}  // namespace peal::sounds

#pragma once

#include <peal/base/point_shader.h>
#include <peal/scene/scene.h>
#include <peal/shaders/playback.h>

namespace peal::shaders {

/// A waveform played by a point.
class PointSound : public base::PointShader {
 public:
  PointSound(const scene::PointSound& sound, const ShaderContext& context);
  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  Playback playback_;
};

std::shared_ptr<const base::PointShader> make_point_shader(const scene::PointSound& sound,
                                                           const ShaderContext& context);

}  // namespace peal::shaders

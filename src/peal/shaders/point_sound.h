#pragma once

#include <peal/base/acoustic_shader.h>
#include <peal/scene/scene.h>
#include <peal/shaders/waveform.h>

#include <memory>
#include <string>
#include <vector>

namespace peal::shaders {

/// A waveform played by a point: when it starts and stops, how loud it is.
class PointSound : public base::PointShader {
 public:
  PointSound(std::unique_ptr<const Waveform> waveform, const scene::PointSound& sound, double fade);
  base::Signal strength(base::Rate rate, base::SampleRange range) const override;

 private:
  base::SampleRange playing(base::Rate rate) const;
  bool is_cut(base::Rate rate) const;  ///< its `duration` ends it before its own end

  std::unique_ptr<const Waveform> waveform_;
  double start_;
  std::optional<double> duration_;
  double gain_;
  double fade_;  ///< [s]
};

/// What a shader may need to know beyond its own settings.
struct ShaderContext {
  base::Rate rate;
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  ///< different for each sound of a scene
  std::vector<std::string>* notices = nullptr;
};

std::shared_ptr<const base::PointShader> make_point_shader(const scene::PointSound& sound,
                                                           const ShaderContext& context);

}  // namespace peal::shaders

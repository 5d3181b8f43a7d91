#pragma once

#include <peal/scene/scene.h>
#include <peal/shaders/waveform.h>

namespace peal::shaders {

/// The tone sum_k a_k sin(2 pi k f t + phase), without overtones above the Nyquist frequency.
class Tone : public Waveform {
 public:
  explicit Tone(scene::ToneSound sound) : sound_(std::move(sound)) {}
  void fill(base::Rate rate, std::int64_t first, std::span<float> out) const override;

 private:
  scene::ToneSound sound_;
};

}  // namespace peal::shaders

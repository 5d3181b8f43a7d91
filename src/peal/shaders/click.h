#pragma once

#include <peal/scene/scene.h>
#include <peal/shaders/waveform.h>

namespace peal::shaders {

/// Ricker pulses (1 - x^2) exp(-x^2 / 2), x = t / sigma: peak 1, no net flow, so that nothing is
/// left behind in the air. Each begins at its time and peaks 6 sigma later.
class Click : public Waveform {
 public:
  explicit Click(scene::ClickSound sound);
  void fill(base::Rate rate, std::int64_t first, std::span<float> out) const override;
  std::optional<std::int64_t> length(base::Rate rate) const override;

 private:
  double pulse(double t) const;

  scene::ClickSound sound_;
  double sigma_;  ///< [s]
};

}  // namespace peal::shaders

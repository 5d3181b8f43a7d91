#pragma once

#include <peal/scene/scene.h>
#include <peal/shaders/waveform.h>

#include <string>
#include <vector>

namespace peal::shaders {

/// One channel of an audio file, converted to the scene's rate when it is read.
class Recording : public Waveform {
 public:
  /// Adds a notice if the file had another rate or more channels than the one that is played.
  Recording(const scene::WavSound& sound, base::Rate rate, std::vector<std::string>& notices);
  void fill(base::Rate rate, std::int64_t first, std::span<float> out) const override;
  std::optional<std::int64_t> length(base::Rate rate) const override;

 private:
  base::Rate rate_;
  std::vector<float> samples_;  ///< at rate_
  bool loop_;
};

}  // namespace peal::shaders

#pragma once

#include <peal/scene/scene.h>
#include <peal/shaders/waveform.h>

namespace peal::shaders {

/// Gaussian noise of RMS 1 between two frequencies, white (equal power per Hz) or pink (equal power
/// per octave), the same for the same seed and stream.
///
/// The noise consists of frames with exact spectra and random phases that overlap by half under
/// sine windows, so that power is constant and any part can be made without the parts before.
class Noise : public Waveform {
 public:
  Noise(scene::NoiseSound sound, std::uint64_t seed, std::uint64_t stream)
      : sound_(sound), seed_(seed), stream_(stream) {}
  void fill(base::Rate rate, std::int64_t first, std::span<float> out) const override;

 private:
  scene::NoiseSound sound_;
  std::uint64_t seed_;
  std::uint64_t stream_;
};

}  // namespace peal::shaders

#pragma once

#include <peal/base/acoustic_shader.h>
#include <peal/scene/scene.h>
#include <peal/shaders/playback.h>

#include <atomic>
#include <list>
#include <mutex>

namespace peal::shaders {

/// A waveform played by part of a surface: all of its points have the same normal acceleration.
class Speaker : public base::SurfaceShader {
 public:
  /// `patch`: for each triangle of the body's mesh, whether it belongs to the speaker.
  Speaker(const scene::SpeakerSound& sound, std::vector<bool> patch, const ShaderContext& context);

  /// May be called from several threads. The waveform is converted once for each rate; after that
  /// a call costs a look-up.
  void add_acceleration(base::SampleTime time, std::span<const base::SurfacePoint> points,
                        std::span<float> acceleration) const override;
  std::unique_ptr<base::BoundShader> bound_to(
      std::span<const base::SurfacePoint> points) const override;
  /// Silence shorter than 20 ms is not split off.
  std::vector<base::SampleRange> sounding(base::Rate rate, base::SampleRange range) const override;

  /// What all points of the patch do at an instant [m/s^2].
  float acceleration(base::SampleTime time) const;

 private:
  const base::Signal& signal(base::Rate rate) const;

  Playback playback_;
  std::vector<bool> patch_;
  double length_;  ///< of the scene [s]

  mutable std::mutex mutex_;
  mutable std::list<base::Signal> signals_;  ///< one per rate that was asked for
  mutable std::atomic<const base::Signal*> latest_ = nullptr;
};

std::shared_ptr<const base::SurfaceShader> make_speaker(const scene::SpeakerSound& sound,
                                                        std::vector<bool> patch,
                                                        const ShaderContext& context);

}  // namespace peal::shaders

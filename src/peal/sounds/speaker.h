#pragma once

#include <peal/base/surface_source.h>
#include <peal/scene/scene.h>
#include <peal/scene/sound.h>
#include <peal/shaders/playback.h>

#include <atomic>
#include <list>
#include <mutex>

namespace peal::sounds {

/// A signal played by part of an object's surface as its normal acceleration: {"speaker": {...}}.
struct SpeakerSound {
  static constexpr const char* key = "speaker";

  scene::SignalSound signal;
  scene::Faces faces;
  double acceleration = 1.0;       ///< outward [m/s^2] for a signal value of 1
  double start = 0.0;              ///< [s]
  std::optional<double> duration;  ///< [s]; to the end of the signal or the scene if absent
};

std::shared_ptr<const scene::Sound> make_sound(const SpeakerSound& settings);
/// Reads {"wav": "ring.wav", "faces": "membrane"}. Reports of missing faces list the existing ones.
std::shared_ptr<const scene::Sound> read_speaker(const util::JsonValue& value,
                                                 const scene::SoundingSurface& surface,
                                                 const scene::ReadContext& context);

/// A waveform played by part of a surface: all of its points have the same normal acceleration.
class Speaker : public base::SurfaceSource {
 public:
  /// `patch`: for each triangle of the body's mesh, whether it belongs to the speaker; empty: all
  /// do.
  Speaker(const SpeakerSound& sound, std::vector<bool> patch,
          const shaders::ShaderContext& context);

  Eigen::Index columns() const override { return 1; }
  base::SurfaceBasis basis(std::span<const base::SurfacePoint> points) const override;
  /// The waveform is converted once for each rate; after that a call is a copy.
  void coefficients(base::Rate rate, base::SampleRange range,
                    base::Coefficients& out) const override;
  /// Silence shorter than 20 ms is not split off.
  std::vector<base::SampleRange> active(base::Rate rate, base::SampleRange range) const override;
  void hash(base::Rate rate, base::SampleRange range,
            util::Fingerprint& fingerprint) const override;

 private:
  const base::Signal& signal(base::Rate rate) const;

  shaders::Playback playback_;
  std::vector<bool> patch_;
  double length_;  ///< length of the scene [s]

  mutable std::mutex mutex_;
  mutable std::list<base::Signal> signals_;  ///< one for each requested rate
  mutable std::atomic<const base::Signal*> latest_ = nullptr;
};

}  // namespace peal::sounds

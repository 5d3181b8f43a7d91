#pragma once

#include <peal/base/signal.h>
#include <peal/scene/scene.h>
#include <peal/shaders/waveform.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace peal::shaders {

/// Properties of the scene that a shader may need beyond its own settings.
struct ShaderContext {
  base::Rate rate;           ///< audio rate
  std::int64_t samples = 0;  ///< length of the scene at `rate`
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  ///< different for each sound of a scene
  std::vector<std::string>* notices = nullptr;
};

/// When a waveform is played, and what a value of 1 means.
struct PlayingTime {
  double start = 0.0;              ///< [s]
  std::optional<double> duration;  ///< [s]; to the end of the waveform if absent
  double gain = 1.0;
};

/// A waveform on the scene's clock: it starts and stops without a click.
class Playback {
 public:
  Playback(const scene::SignalSound& sound, const PlayingTime& time, const ShaderContext& context);

  /// The signal within `range`, shorter where it is silent. Sounds are made at the audio rate; at
  /// another rate they are the same sound, band-limited. Any part equals that part of the whole.
  base::Signal play(base::Rate rate, base::SampleRange range) const;

 private:
  base::SampleRange playing() const;
  bool is_cut() const;  ///< whether `duration` ends it before its own end
  base::Signal play_own(base::SampleRange range) const;
  void convert_block(std::int64_t block, base::Signal& out) const;

  base::Rate rate_;
  std::unique_ptr<const Waveform> waveform_;
  PlayingTime time_;
  double fade_;  ///< [s]
};

}  // namespace peal::shaders

#pragma once

#include <peal/scene/sound.h>
#include <peal/shaders/playback.h>

namespace peal::sounds {

/// Properties of the scene that waveforms need.
inline shaders::ShaderContext shader_context(const scene::SoundContext& context) {
  return {.rate = context.world.rate,
          .samples = context.world.samples,
          .seed = context.seed,
          .stream = context.stream,
          .notices = &context.notices};
}

}  // namespace peal::sounds

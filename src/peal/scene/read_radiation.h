#pragma once

#include <peal/base/time.h>
#include <peal/scene/scene.h>
#include <peal/util/json_reader.h>

namespace peal::scene {

/// The scene's `radiation`: the model, and what is asked of the wave solver. `rate` is of audio.
Radiation read_radiation(const util::JsonValue& value, base::Rate rate);

/// What the wave solver is asked for by a scene that says nothing: 8 kHz, or what the rate allows.
base::WaveSettings default_wave_settings(base::Rate rate);

}  // namespace peal::scene

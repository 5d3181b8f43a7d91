#pragma once

#include <peal/base/time.h>
#include <peal/scene/scene.h>
#include <peal/util/json_reader.h>

namespace peal::scene {

/// Reads the scene's `radiation`: the model, and the settings of the wave solver. `rate` is that of
/// audio.
Radiation read_radiation(const util::JsonValue& value, base::Rate rate);

/// Default settings of the wave solver: 8 kHz, or what the rate allows.
base::WaveSettings default_wave_settings(base::Rate rate);

}  // namespace peal::scene

#pragma once

#include <peal/base/force_pulse.h>
#include <peal/scene/sound.h>

#include <memory>

namespace peal::sounds {

/// The click of the object as a whole when it is hit: "acceleration_noise".
struct AccelerationNoiseSound {
  static constexpr const char* key = "acceleration_noise";

  bool is_default = false;                                     ///< the file does not ask for it
  base::PulseProfile profile = base::PulseProfile::half_sine;  ///< profile of the contact forces
};

std::shared_ptr<const scene::Sound> make_sound(const AccelerationNoiseSound& settings);
std::shared_ptr<const scene::Sound> read_acceleration_noise(const util::JsonValue& value,
                                                            const scene::SoundingSurface& surface,
                                                            const scene::ReadContext& context);

}  // namespace peal::sounds

#include <peal/sounds/acceleration_noise.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/point.h>
#include <peal/sounds/speaker.h>

namespace peal::scene {

std::span<const SoundKind> sound_kinds() {
  static const SoundKind kinds[] = {
      {.key = sounds::PointSound::key, .read = sounds::read_point},
      {.key = sounds::SpeakerSound::key, .read = sounds::read_speaker},
      {.key = sounds::ModalSound::key, .may_be_word = true, .read = sounds::read_modal},
      {.key = sounds::AccelerationNoiseSound::key,
       .may_be_word = true,
       .read = sounds::read_acceleration_noise},
  };
  return kinds;
}

}  // namespace peal::scene

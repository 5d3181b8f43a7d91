#include <peal/sounds/acceleration_noise.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/point.h>
#include <peal/sounds/speaker.h>

namespace peal::sounds {

namespace {

std::span<const scene::SoundKind> all_kinds() {
  static const scene::SoundKind kinds[] = {
      {.key = PointSound::key, .read = read_point},
      {.key = SpeakerSound::key, .read = read_speaker},
      {.key = ModalSound::key, .may_be_word = true, .read = read_modal},
      {.key = AccelerationNoiseSound::key, .may_be_word = true, .read = read_acceleration_noise},
  };
  return kinds;
}

}  // namespace

}  // namespace peal::sounds

/// `scene` declares this list without knowing its items, so that it needs no module above it.
std::span<const peal::scene::SoundKind> peal::scene::sound_kinds() {
  return sounds::all_kinds();
}

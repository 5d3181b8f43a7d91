#include <peal/scene/default_sounds.h>
#include <peal/sounds/acceleration_noise.h>
#include <peal/sounds/bubbles.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/point.h>
#include <peal/sounds/speaker.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace peal::sounds {

namespace {

std::span<const scene::SoundKind> all_kinds() {
  static const scene::SoundKind kinds[] = {
      {.key = PointSound::key, .read = read_point},
      {.key = SpeakerSound::key, .read = read_speaker},
      {.key = ModalSound::key, .may_be_word = true, .read = read_modal},
      {.key = AccelerationNoiseSound::key, .may_be_word = true, .read = read_acceleration_noise},
      {.key = BubblesSound::key, .may_be_word = true, .read = read_bubbles},
  };
  return kinds;
}

}  // namespace

}  // namespace peal::sounds

/// `scene` declares this list without knowing its items, so that it needs no module above it.
std::span<const peal::scene::SoundKind> peal::scene::sound_kinds() {
  return sounds::all_kinds();
}

/// Modes, which need no mass of the whole, and the click of what moves as a whole.
std::vector<std::shared_ptr<const peal::scene::Sound>> peal::scene::default_sounds(
    const Object& object, const DefaultSoundContext& context) {
  std::vector<std::shared_ptr<const Sound>> result = {sounds::make_sound(sounds::ModalSound{
      .max_frequency = std::min(sounds::ModalSound{}.max_frequency, context.max_frequency),
      .is_default = true})};
  if (context.moves && object.material && object.ideal_shape() == nullptr)
    result.push_back(sounds::make_sound(sounds::AccelerationNoiseSound{.is_default = true}));
  return result;
}

#include <peal/scene/scene.h>
#include <peal/scene/sound.h>

#include <algorithm>
#include <cmath>

namespace peal::scene {

bool Object::answers_contacts() const {
  return std::ranges::any_of(sounds, &Sound::answers_contacts);
}

bool SoundContext::moves() const {
  return object.rigid() != nullptr || motion.gives_way || !motion.motion->is_still();
}

std::int64_t sample_count(const Scene& scene) {
  return std::max<std::int64_t>(1, std::llround(scene.rate.samples(scene.duration)));
}

}  // namespace peal::scene

#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

#include <memory>
#include <vector>

namespace peal::scene {

/// What default sounds depend on besides the object.
struct DefaultSoundContext {
  bool moves = false;            ///< the object moves as a whole
  double max_frequency = 20000;  ///< of the sound that is computed [Hz]
};

/// Sounds of a solid object with a material that moves or can be hit, as far as they apply to it.
/// `sounds/sound_kinds.cpp` defines it.
std::vector<std::shared_ptr<const Sound>> default_sounds(const Object& object,
                                                         const DefaultSoundContext& context);

/// Gives default sounds to the objects whose file says nothing about their sound: those that move,
/// that are struck, or that others can hit. Notices name those that cannot sound.
void add_default_sounds(Scene& scene, ReadContext& context);

}  // namespace peal::scene

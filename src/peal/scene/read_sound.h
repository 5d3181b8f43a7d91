#pragma once

#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>

namespace peal::scene {

/// What the object of a sound looks like.
struct SoundingSurface {
  bool given = false;                       ///< false: the object is a point
  const geometry::TriMesh* mesh = nullptr;  ///< null as well if it could not be read
  bool deforms = false;
  bool has_material = false;  ///< or modes, in which it is contained
};

/// One element of an object's `sound` list.
Sound read_sound(const util::JsonValue& value, const SoundingSurface& surface,
                 const ReadContext& context);

/// {"wav": "ring.wav", "faces": "membrane"}: faces that are not there are told with those that are.
SpeakerSound read_speaker(const util::JsonValue& value, const SoundingSurface& surface,
                          const ReadContext& context);

}  // namespace peal::scene

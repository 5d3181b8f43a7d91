#include <peal/scene/read_context.h>
#include <peal/scene/scene.h>
#include <peal/scene/sound.h>

#include <fmt/format.h>

#include <algorithm>

namespace peal::scene {

using util::JsonObject;
using util::JsonValue;

bool SoundContext::moves() const {
  return object.rigid() != nullptr || motion.gives_way || !motion.motion->is_still();
}

std::shared_ptr<const Sound> read_sound(const JsonValue& value, const SoundingSurface& surface,
                                        const ReadContext& context) {
  static const auto keys_of = [](bool words_only) {
    std::vector<std::string> keys;
    for (const SoundKind& kind : sound_kinds()) {
      if (kind.may_be_word || !words_only) keys.push_back(kind.key);
    }
    return keys;
  };
  static const std::vector<std::string> words = keys_of(true), keys = keys_of(false);
  if (value.json().is_string()) {
    const std::size_t before = value.problems().count();
    const auto kind = std::ranges::find(sound_kinds(), value.word(words), &SoundKind::key);
    return value.problems().count() == before ? kind->read(value, surface, context) : nullptr;
  }
  JsonObject object(value, "a sound, {\"point\": {...}}");
  const auto given = object.one_of(keys, "{\"point\": {\"tone\": 440}}");
  std::shared_ptr<const Sound> sound;
  if (given) {
    const auto kind = std::ranges::find(sound_kinds(), given->key, &SoundKind::key);
    if (kind->may_be_word && given->value.json().is_string()) {
      given->value.report_kind("the settings of the sound: { ... }",
                               fmt::format("\"{}\": {{}}", kind->key));
    }
    sound = kind->read(given->value, surface, context);
  }
  object.finish();
  return sound;
}

}  // namespace peal::scene

#pragma once

#include <peal/base/motion_result.h>
#include <peal/base/world.h>
#include <peal/geometry/mesh/vector.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace peal::util {
class JsonValue;
}

namespace peal::scene {

struct Object;
struct ReadContext;

/// Part of an object's surface: all of it, the faces of a group (OBJ group, object or material;
/// glTF material), faces by number, or what of them lies in a box of the object's frame [m].
struct WholeSurface {};
using Faces = std::variant<WholeSurface, std::string, std::vector<std::uint32_t>, geometry::Box>;

/// Input of a sound that becomes a source, and the place where the source is added.
struct SoundContext {
  const Object& object;
  const base::ObjectMotion& motion;
  base::World& world;
  base::Body* body;  ///< null for a point
  /// For each triangle of the body, whether it is part of patch(); empty: all are.
  std::vector<bool> patch;
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;  ///< different for each sound of a scene
  std::vector<std::string>& notices;
  bool strict = false;  ///< a sound that cannot be made is an error, not a notice

  /// Whether the object moves as a whole.
  bool moves() const;
};

/// A sound that an object makes, as the scene file says. `sounds/` holds all kinds.
class Sound {
 public:
  virtual ~Sound() = default;

  virtual std::string key() const = 0;       ///< key in the scene format
  virtual std::string describe() const = 0;  ///< in words, for the manifest and `peal inspect`

  virtual bool is_point() const { return false; }          ///< needs no surface
  virtual bool answers_strikes() const { return false; }   ///< uses the object's `strikes`
  virtual bool answers_contacts() const { return false; }  ///< uses its contacts with bodies
  virtual const Faces* patch() const { return nullptr; }  ///< that it drives; null: none of its own

  /// Adds its sources to the body or to the world.
  virtual void add_to(SoundContext& context) const = 0;
};

/// A kind of sound: its key in the scene format, and its settings.
template <class Settings>
class SoundOf : public Sound {
 public:
  explicit SoundOf(Settings given) : settings(std::move(given)) {}
  std::string key() const override { return Settings::key; }

  const Settings settings;
};

/// The settings of a sound if it is of this kind; else null.
template <class Settings>
const Settings* settings_of(const Sound& sound) {
  const auto* const kind = dynamic_cast<const SoundOf<Settings>*>(&sound);
  return kind != nullptr ? &kind->settings : nullptr;
}

/// Properties of the sounding object that the reader knows.
struct SoundingSurface {
  bool given = false;                       ///< false: the object is a point
  const geometry::TriMesh* mesh = nullptr;  ///< null as well if it could not be read
  bool deforms = false;
  bool has_material = false;  ///< or modes, in which it is contained
};

/// How a kind of sound is read: {"key": {...}}.
struct SoundKind {
  std::string key;
  bool may_be_word = false;  ///< "key" stands for {"key": {}}
  /// Gets the value of the key, or the word.
  std::shared_ptr<const Sound> (*read)(const util::JsonValue& value, const SoundingSurface& surface,
                                       const ReadContext& context);
};

/// All kinds, in the order of the manual. `sounds/sound_kinds.cpp` lists them.
std::span<const SoundKind> sound_kinds();

}  // namespace peal::scene

#pragma once

#include <peal/scene/sound.h>
#include <peal/vibration/struck_sound.h>

#include <memory>
#include <optional>
#include <string>

namespace peal::sounds {

/// The object's own vibration where it is struck: "modal", or {"modal": {...}}.
struct ModalSound {
  static constexpr const char* key = "modal";

  double max_frequency = 20000.0;  ///< highest frequency of the modes [Hz]
  std::optional<vibration::ContactClick> click;
  /// What finds the modes of a wall with a thickness.
  enum class Elements { automatic, shells, solid } elements = Elements::automatic;
  bool is_default = false;  ///< the file does not ask for it: without modes the body stays silent
};

/// The number of modes that a body with a material is expected to have up to a frequency [Hz].
double estimated_modes(const scene::Object& object, double frequency);

/// Why a body has no modes by default, because they would take too long to find; empty if it has.
std::string too_many_default_modes(const scene::Object& object, const ModalSound& sound);

std::shared_ptr<const scene::Sound> make_sound(const ModalSound& settings);
std::shared_ptr<const scene::Sound> read_modal(const util::JsonValue& value,
                                               const scene::SoundingSurface& surface,
                                               const scene::ReadContext& context);

}  // namespace peal::sounds

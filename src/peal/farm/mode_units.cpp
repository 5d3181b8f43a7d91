#include <peal/farm/mode_units.h>
#include <peal/render/in_file.h>
#include <peal/sounds/modal.h>
#include <peal/sounds/ringing_body.h>
#include <peal/util/error.h>
#include <peal/util/file_lock.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace peal::farm {

namespace {

const sounds::ModalSound* modal_sound_of(const scene::Object& object) {
  for (const auto* list : {&object.sounds, &object.left_out}) {
    for (const auto& sound : *list)
      if (const auto* modal = scene::settings_of<sounds::ModalSound>(*sound)) return modal;
  }
  return nullptr;
}

/// Where the modes of an object will be; nothing if it has none, or none that a render can find.
std::optional<ModeUnit> unit_of(const scene::Scene& scene, std::size_t index) try {
  const scene::Object& object = scene.objects[index];
  const sounds::ModalSound* modal = modal_sound_of(object);
  if (modal == nullptr || (object.strikes.empty() && !object.rigid())) return std::nullopt;
  if (!object.mesh || !object.material || object.changes_shape()) return std::nullopt;
  if (!sounds::too_many_default_modes(object, *modal).empty()) return std::nullopt;
  auto stored = sounds::stored_modes(object, *modal);
  if (!stored) return std::nullopt;
  return ModeUnit{.object = index,
                  .file = std::move(stored->file),
                  .work = sounds::estimated_modes(object, modal->max_frequency)};
} catch (const util::InputError&) {
  return std::nullopt;  // the render reports it
}

std::filesystem::path lock_of(const ModeUnit& unit) {
  std::filesystem::path file = unit.file;
  file += ".lock";
  return file;
}

bool is_found(const scene::Scene& scene, const ModeUnit& unit) {
  const scene::Object& object = scene.objects[unit.object];
  return sounds::stored_modes(object, *modal_sound_of(object))->are_found;
}

/// Stores the modes of a body, and how they radiate. Notices are those of the render to come.
void find(const scene::Scene& scene, const ModeUnit& unit) try {
  const scene::Object& object = scene.objects[unit.object];
  util::Silent silent;
  std::vector<std::string> notices;
  sounds::find_ringing_body(object, *modal_sound_of(object), scene.medium, silent, notices);
} catch (const std::exception&) {
  render::rethrow_in_file(scene.file);
}

}  // namespace

std::vector<ModeUnit> mode_units(const scene::Scene& scene) {
  std::vector<ModeUnit> units;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    std::optional<ModeUnit> unit = unit_of(scene, i);
    if (!unit) continue;
    // Bodies of the same shape and material have the same modes.
    const bool is_new = std::ranges::find(units, unit->file, &ModeUnit::file) == units.end();
    if (is_new) units.push_back(*std::move(unit));
  }
  std::ranges::stable_sort(units, std::ranges::greater(), &ModeUnit::work);
  return units;
}

std::size_t find_modes(const scene::Scene& scene, util::Progress& progress,
                       const std::function<void(const std::string&)>& tell) {
  const std::vector<ModeUnit> units = mode_units(scene);
  std::size_t found = 0;
  std::vector<const ModeUnit*> taken;
  progress.begin("modes", 0.0);
  for (std::size_t i = 0; i < units.size(); ++i) {
    progress.update(static_cast<double>(i) / static_cast<double>(units.size()));
    if (is_found(scene, units[i])) continue;
    if (const auto lock = util::FileLock::try_lock(lock_of(units[i]))) {
      if (is_found(scene, units[i])) continue;
      find(scene, units[i]);
      ++found;
    } else {
      taken.push_back(&units[i]);
    }
  }
  // Others are at these; if they are killed, their work is done here.
  for (const ModeUnit* unit : taken) {
    const auto lock = util::FileLock::wait_for(
        lock_of(*unit), [&, has_told = false](const std::string& holder) mutable {
          if (std::exchange(has_told, true)) return;
          tell(fmt::format("waiting for {}, which finds the modes of \"{}\"", holder,
                           scene.objects[unit->object].name));
        });
    if (is_found(scene, *unit)) continue;
    find(scene, *unit);
    ++found;
  }
  progress.end();
  return found;
}

}  // namespace peal::farm

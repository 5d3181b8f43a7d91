#pragma once

#include <peal/util/store.h>
#include <peal/vibration/shell_modes.h>
#include <peal/vibration/solid_modes.h>

namespace peal::vibration {

/// Like solid_modes(), but reads the result from the store if it was computed before from the same
/// mesh, material and settings; `was_stored` says whether it was.
SolidModes stored_solid_modes(const util::Store& store, const geometry::TriMesh& surface,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored);

/// Whether the store has the result of stored_solid_modes().
bool are_modes_stored(const util::Store& store, const geometry::TriMesh& surface,
                      const base::Material& material, const SolidModesSettings& settings);

/// The same of shell_modes().
SolidModes stored_shell_modes(const util::Store& store, const geometry::ShellMesh& shell,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored);
bool are_modes_stored(const util::Store& store, const geometry::ShellMesh& shell,
                      const base::Material& material, const SolidModesSettings& settings);

/// Writes or reads the result, with the model as the bytes of a .modes file.
void serialize(util::Archive& archive, SolidModes& modes);

}  // namespace peal::vibration

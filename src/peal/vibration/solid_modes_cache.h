#pragma once

#include <peal/util/store.h>
#include <peal/vibration/solid_modes.h>

namespace peal::vibration {

/// The same as solid_modes, but a result that was computed before from the same mesh, material and
/// settings is read from the store. `was_stored` tells which.
SolidModes stored_solid_modes(const util::Store& store, const geometry::TriMesh& surface,
                              const base::Material& material, const SolidModesSettings& settings,
                              util::Progress& progress, const std::string& file, bool& was_stored);

/// Whether stored_solid_modes() would find a result.
bool are_modes_stored(const util::Store& store, const geometry::TriMesh& surface,
                      const base::Material& material, const SolidModesSettings& settings);

/// Writes or reads what was computed, with the model as the bytes of a .modes file.
void serialize(util::Archive& archive, SolidModes& modes);

}  // namespace peal::vibration

#pragma once

#include <peal/vibration/solid_modes.h>

#include <filesystem>
#include <optional>

namespace peal::vibration {

/// The same as solid_modes, but a result that was computed before from the same mesh, material and
/// settings is read from `folder`. `was_cached` tells which.
SolidModes cached_solid_modes(const std::optional<std::filesystem::path>& folder,
                              const geometry::TriMesh& surface, const base::Material& material,
                              const SolidModesSettings& settings, util::Progress& progress,
                              const std::string& file, bool& was_cached);

/// Whether cached_solid_modes() would find a result.
bool are_modes_cached(const std::optional<std::filesystem::path>& folder,
                      const geometry::TriMesh& surface, const base::Material& material,
                      const SolidModesSettings& settings);

}  // namespace peal::vibration

#pragma once

#include <peal/base/material.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peal::scene {

using base::Material;

/// Typical constants of a common material, isotropic; the table with its sources is in the .cpp
/// and in docs/scene-format.md. Empty if the name is not known.
std::optional<Material> find_material(std::string_view name);
const std::vector<std::string>& material_names();

}  // namespace peal::scene

#pragma once

#include <peal/base/material.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peal::scene {

using base::Material;

/// The nine constants of a wood, by the name of its material, along X with rings across Y; nothing
/// if it is not in the table. E_L is given by that material.
std::optional<base::Orthotropy> find_orthotropy(const Material& material);

/// What Material::relative_indentation is of a material with these constants.
double relative_indentation(const base::Orthotropy& orthotropy, const Material& material);

/// Typical constants of a common material, isotropic; the table with its sources is in the .cpp
/// and in docs/scene-format.md. Upper and lower case are the same, and so are `-`, `_` and spaces;
/// everyday names ("wood", "metal", "aluminum") count. Empty if the name is not known.
std::optional<Material> find_material(std::string_view name);

/// The only material whose name is a word of a label: "Dark wood.001" is oak. Empty if there is
/// none, or several.
std::optional<Material> recognised_material(std::string_view label);

const std::vector<std::string>& material_names();

}  // namespace peal::scene

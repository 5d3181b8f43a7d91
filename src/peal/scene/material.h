#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace peal::scene {

/// What a body is made of. Names of the elastic and contact constants follow UsdPhysics.
struct Material {
  std::string name;
  double density = 0.0;        ///< [kg/m^3]
  double young_modulus = 0.0;  ///< E [Pa]
  double poisson_ratio = 0.0;  ///< nu [1]
};

/// Typical constants of a common material, isotropic; the table with its sources is in the .cpp
/// and in docs/scene-format.md. Empty if the name is not known.
std::optional<Material> find_material(std::string_view name);
const std::vector<std::string>& material_names();

}  // namespace peal::scene

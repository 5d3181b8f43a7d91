#include <peal/fem/lame.h>
#include <peal/util/error.h>

#include <fmt/format.h>

namespace peal::fem {

Lame lame_constants(const base::Material& material) {
  const double E = material.young_modulus, nu = material.poisson_ratio;
  return {E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), 0.5 * E / (1.0 + nu)};
}

Lame checked_lame(const base::Material& material, const std::string& location) {
  const double E = material.young_modulus, nu = material.poisson_ratio;
  if (material.orthotropy) {
    throw util::InputError({location, "material"}, "a deformable body cannot have a grain",
                           "Leave out \"grain\" and \"orthotropic\": they are for modal sound.");
  }
  if (!(nu > -0.95 && nu < 0.495)) {
    throw util::InputError(
        {location, "material"},
        fmt::format("a Poisson's ratio of {:g} is too close to 0.5 for a deformable body", nu),
        "Use a value below 0.495; 0.49 suits rubber.");
  }
  if (!(E > 0.0) || !(material.density > 0.0)) {
    throw util::InputError({location, "material"},
                           "a body that deforms needs a density and a Young's modulus above zero",
                           "Name a material, such as \"steel\", or give both.");
  }
  return lame_constants(material);
}

}  // namespace peal::fem

#pragma once

#include <peal/base/material.h>

#include <string>

namespace peal::fem {

/// Lame's constants of an isotropic material.
struct Lame {
  double lambda = 0.0;  ///< [Pa]
  double mu = 0.0;      ///< [Pa]
};

/// lambda = E nu / ((1 + nu) (1 - 2 nu)), mu = E / (2 (1 + nu)); nu must be below 0.5.
Lame lame_constants(const base::Material& material);

inline double poisson_ratio(const Lame& lame) {
  return 0.5 * lame.lambda / (lame.lambda + lame.mu);
}

/// Modulus of a rod, which is Young's, and of a wall that bends in one direction, E / (1 - nu^2)
/// [Pa].
inline double rod_modulus(const Lame& lame) {
  return lame.mu * (3.0 * lame.lambda + 2.0 * lame.mu) / (lame.lambda + lame.mu);
}
inline double wall_modulus(const Lame& lame) {
  return 4.0 * lame.mu * (lame.lambda + lame.mu) / (lame.lambda + 2.0 * lame.mu);
}

/// The compliance of one of two bodies in contact, (1 - nu^2) / E of an isotropic one [1/Pa]: the
/// sum over both is 1 / E* of Hertz's theory (Johnson 1985, Contact Mechanics, eq. 4.22).
inline double contact_compliance(double young_modulus, double poisson_ratio) {
  return (1.0 - poisson_ratio * poisson_ratio) / young_modulus;
}
inline double contact_compliance(const base::Material& material) {
  return contact_compliance(material.young_modulus, material.poisson_ratio) /
         material.relative_indentation;
}

/// Lame's constants of a checked material. Throws util::InputError at `location` if the material
/// has no density or stiffness, or if its Poisson's ratio is unsuitable for the elements, which
/// lock towards 0.5 (incompressible).
Lame checked_lame(const base::Material& material, const std::string& location);

}  // namespace peal::fem

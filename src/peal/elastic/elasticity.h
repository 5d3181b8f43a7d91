#pragma once

#include <peal/base/material.h>

#include <string>

namespace peal::elastic {

/// Lame's constants of an isotropic material.
struct Lame {
  double lambda = 0.0;  ///< [Pa]
  double mu = 0.0;      ///< [Pa]
};

inline double poisson_ratio(const Lame& lame) {
  return 0.5 * lame.lambda / (lame.lambda + lame.mu);
}

/// Of a rod: Young's; and of a wall that bends one way, E / (1 - nu^2) [Pa].
inline double rod_modulus(const Lame& lame) {
  return lame.mu * (3.0 * lame.lambda + 2.0 * lame.mu) / (lame.lambda + lame.mu);
}
inline double wall_modulus(const Lame& lame) {
  return 4.0 * lame.mu * (lame.lambda + lame.mu) / (lame.lambda + 2.0 * lame.mu);
}

/// Throws util::InputError at `place` if the material has no density or stiffness, or a Poisson's
/// ratio that elements cannot have: they lock towards 0.5, where nothing changes its volume.
Lame checked_lame(const base::Material& material, const std::string& place);

}  // namespace peal::elastic

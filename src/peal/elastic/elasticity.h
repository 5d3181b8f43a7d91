#pragma once

#include <peal/base/material.h>

#include <string>

namespace peal::elastic {

/// Lame's constants of an isotropic material.
struct Lame {
  double lambda = 0.0;  ///< [Pa]
  double mu = 0.0;      ///< [Pa]
};

/// Throws util::InputError at `place` if the material has no density or stiffness, or a Poisson's
/// ratio that elements cannot have: they lock towards 0.5, where nothing changes its volume.
Lame checked_lame(const base::Material& material, const std::string& place);

}  // namespace peal::elastic

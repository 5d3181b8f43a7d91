#pragma once

#include <string>

namespace peal::scene {

/// What a body is made of. Names of the elastic and contact constants follow UsdPhysics.
struct Material {
  std::string name;
  double density = 0.0;        ///< [kg/m^3]
  double young_modulus = 0.0;  ///< E [Pa]
  double poisson_ratio = 0.0;  ///< nu [1]
};

}  // namespace peal::scene

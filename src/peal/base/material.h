#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace peal::base {

/// Damping of vibration in a material. A mode's amplitude decays as exp(-d t), where d is the sum
/// of all terms below.
struct Damping {
  /// A frequency band with its own loss factor.
  struct Band {
    double up_to = 0.0;        ///< upper end [Hz]
    double loss_factor = 0.0;  ///< eta [1]
  };

  /// tan(phi) [1]: d = pi f tan(phi) (van den Doel & Pai 1998, equation 12; equation 13 omits the
  /// factor pi).
  double internal_friction = 0.0;
  /// Loss factors by band, ascending: d = pi f eta. The last loss factor also holds above its band.
  std::vector<Band> bands;
  double mass = 0.0;       ///< Rayleigh's alpha [1/s]: d = alpha / 2
  double stiffness = 0.0;  ///< Rayleigh's beta [s]: d = beta w^2 / 2
  /// gamma [1/s^3]: d = gamma / (2 w^2), the inverse-stiffness term of Chadwick et al. 2012,
  /// section 5.
  double inverse_stiffness = 0.0;
  double external = 0.0;  ///< 1 / tau_0 [1/s] (van den Doel & Pai 1998, equation 13)

  /// The decay rate d [1/s] of a mode of `frequency` [Hz], above zero.
  double decay_rate(double frequency) const;
};

/// Roughness of a surface: a random profile whose power spectrum is flat for wavelengths above
/// `length` and falls as (wave number)^-(1 + 2 hurst) below (self-affine: Persson 2014, Tribology
/// Letters 54, 99).
struct Roughness {
  double height = 1e-6;  ///< root mean square of wavelengths up to `length` [m]
  double length = 8e-4;  ///< [m]; 0.8 mm is the cut-off at which roughness is reported (ISO 4288)
  double hurst = 0.8;    ///< [1], 0 to 1
};

/// Elasticity with three planes of symmetry, as wood has it: along the grain (L), radial (R, across
/// the growth rings) and tangential (T).
struct Orthotropy {
  std::array<double, 3> young_moduli{};    ///< E_L, E_R, E_T [Pa]
  std::array<double, 3> shear_moduli{};    ///< G_LR, G_LT, G_RT [Pa]
  std::array<double, 3> poisson_ratios{};  ///< nu_LR, nu_LT, nu_RT [1]: strain of the second axis
  geometry::Vec3 grain = geometry::Vec3::UnitX();   ///< L in the body's frame, unit length
  geometry::Vec3 radial = geometry::Vec3::UnitY();  ///< R, unit length, across L
};

/// An elastic material, isotropic unless it has an `orthotropy`, which then is what its modes
/// follow. Names of the elastic and contact constants follow UsdPhysics.
struct Material {
  std::string name;
  double density = 0.0;        ///< [kg/m^3]
  double young_modulus = 0.0;  ///< E [Pa]
  double poisson_ratio = 0.0;  ///< nu [1]
  Damping damping;
  Roughness roughness = {};
  std::optional<Orthotropy> orthotropy = {};
  /// The indentation modulus of its surface (indentation_modulus()) over E / (1 - nu^2): below 1
  /// for wood, which is touched across its grain and bends along it.
  double relative_indentation = 1.0;
};

/// Young's modulus in the softest direction [Pa]: its waves are the shortest.
double softest_young_modulus(const Material& material);

}  // namespace peal::base

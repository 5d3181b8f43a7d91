#pragma once

#include <string>
#include <vector>

namespace peal::base {

/// How vibration of a material dies away. A mode's amplitude falls as exp(-d t); all terms of d
/// add.
struct Damping {
  /// A stretch of the spectrum with its own loss factor.
  struct Band {
    double up_to = 0.0;        ///< upper end [Hz]
    double loss_factor = 0.0;  ///< eta [1]
  };

  /// tan(phi) [1]: d = pi f tan(phi) (van den Doel & Pai 1998, equation 12; equation 13 lost its
  /// pi).
  double internal_friction = 0.0;
  /// Loss factors by band, ascending; d = pi f eta, the last one holds above its end.
  std::vector<Band> bands;
  double mass = 0.0;       ///< Rayleigh's alpha [1/s]: d = alpha / 2
  double stiffness = 0.0;  ///< Rayleigh's beta [s]: d = beta w^2 / 2
  /// gamma [1/s^3]: d = gamma / (2 w^2), the inverse-stiffness term of Chadwick et al. 2012,
  /// section 5.
  double inverse_stiffness = 0.0;
  double external = 0.0;  ///< 1 / tau_0 [1/s] (van den Doel & Pai 1998, equation 13)

  /// d [1/s] of a mode of `frequency` [Hz], above zero.
  double decay_rate(double frequency) const;
};

/// How uneven a surface is: a random profile whose power spectrum is flat for waves longer than
/// `length` and falls as (wave number)^-(1 + 2 hurst) for shorter ones (self-affine: Persson
/// 2014, Tribology Letters 54, 99).
struct Roughness {
  double height = 1e-6;  ///< root of the mean square, of waves up to `length` [m]
  double length = 8e-4;  ///< [m]; 0.8 mm is the cut-off at which roughness is reported (ISO 4288)
  double hurst = 0.8;    ///< [1], 0 to 1
};

/// What a body is made of, isotropic. Names of the elastic and contact constants follow UsdPhysics.
struct Material {
  std::string name;
  double density = 0.0;        ///< [kg/m^3]
  double young_modulus = 0.0;  ///< E [Pa]
  double poisson_ratio = 0.0;  ///< nu [1]
  Damping damping;
  Roughness roughness = {};
};

}  // namespace peal::base

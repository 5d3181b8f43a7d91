#pragma once

#include <peal/bubbles/oscillator.h>

#include <span>
#include <vector>

namespace peal::bubbles {

/// Plays chains that feel each other: a bubble that pulsates moves the liquid around the others.
/// With y = V / R^(1/2),
///
///   sum_j M_ij y_j'' + 2 beta_i M_ii y_i' + omega_i^2 M_ii y_i = M_ii F_i / (m_i R_i^(1/2)),
///   M_ii = R_i / C_i,
///   M_ij = 1 / (r_ij^2 / (R_i R_j) + 4)^(1/2) - (R_i R_j)^(1/2) / r'_ij,
///
/// where r_ij is the distance and r'_ij that from the image of the other behind the free surface.
/// The first term is that of the released code FluidSound for bubbles near each other; it has no
/// images. C_i has the image of the bubble itself.
///
/// A step of the trapezoidal rule is one product with the inverse of M + h beta + h^2 omega^2 / 4,
/// from a Cholesky factor that is renewed, at most every 32 samples, when bubbles ended and when
/// their frequencies or places have changed; where bubbles only began, the inverse grows by their
/// rows. A new bubble is alone until then. Stiffnesses
/// are warped, so that a bubble alone has its exact frequency. Bubbles that no coupling above
/// `weakest_coupling` joins are separate systems.
std::vector<PlayedChain> play_coupled(std::span<const Chain> chains,
                                      const OscillatorSettings& settings);

/// M_ij below it changes frequencies by less than a thousandth.
inline constexpr double weakest_coupling = 1e-3;

/// M_ij of two different bubbles.
double coupling(const OscillatorKey& a, const OscillatorKey& b);

}  // namespace peal::bubbles

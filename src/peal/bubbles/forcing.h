#pragma once

#include <peal/base/liquid.h>

namespace peal::bubbles {

/// What makes a bubble ring when it comes into being: F / m = curvature (t - begin)^2 for
/// `duration`, then nothing [m^3/s^2].
struct Forcing {
  double begin = 0.0;      ///< [s]
  double duration = 0.0;   ///< [s]
  double curvature = 0.0;  ///< [m^3/s^4]
};

/// Longest duration of a forcing [s], and how long it lasts otherwise: while the neck retreats by a
/// radius at this speed [m/s].
inline constexpr double longest_forcing = 6e-4;
inline constexpr double neck_speed = 6.0;

/// Deane & Stokes 2008: the cone of air that is left of the neck of a bubble of radius R is driven
/// in by its surface tension,
///
///   F = -9 gamma sigma eta (1 + eta^2)^(1/2) p_in t^2 / (4 rho R^3),   m = rho / (4 pi C),
///
/// with the steepness eta of the cone. The bubble is squeezed. C [m] is its capacitance.
Forcing neck_forcing(double begin, double radius, double capacitance, double cone,
                     const base::Liquid& liquid);

/// Deane & Czerski 2008: where two bubbles of radii r1 and r2 have touched, the neck between them
/// widens, F = 6 sigma gamma p_in t^2 / (rho R^3), until it is as wide as `neck_part` times the
/// smaller radius. The merged bubble of radius R expands.
Forcing merge_forcing(double begin, double radius, double capacitance, double r1, double r2,
                      double neck_part, const base::Liquid& liquid);

/// The forcing of a neck scaled so that its largest F / m is `amplitude` [m^3/s^2].
Forcing scaled_to(Forcing forcing, double amplitude);

}  // namespace peal::bubbles

#pragma once

#include <peal/radiation/surface_samples.h>

#include <vector>

namespace peal::radiation {

/// The added mass at each sample point of a body that oscillates slowly, as a length l [m]: the
/// pressure there is rho l a_n. On a sphere of radius a it is a / 2; on a plate it is large in the
/// middle and vanishes at the edges, round which the air escapes.
///
/// The body is approximated by the ellipsoid that extends as far as the body along its principal
/// axes, which is exact for ellipsoids and round discs: l = sum of kappa_k x_k n_k with kappa_k =
/// alpha_k / (2 - alpha_k) (H. Lamb, Hydrodynamics, sections 114 and 373).
///
/// The result is l and not the pressure of the motion itself, because for any motion of the surface
/// the force on the air is the integral of rho l a_n over the surface (by reciprocity, where the
/// normal is along one axis), and that force determines the sound far away when the body is smaller
/// than a wavelength.
std::vector<double> added_mass_lengths(const SurfaceSamples& samples);

}  // namespace peal::radiation

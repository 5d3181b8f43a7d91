#pragma once

#include <peal/radiation/surface_samples.h>

#include <vector>

namespace peal::radiation {

/// How much air lies on each sample point of a body that goes to and fro slowly: a length l [m] for
/// which the pressure there is rho l a_n. On a sphere of radius a it is a / 2; on a plate it is
/// large in the middle and vanishes at the edges, round which the air escapes.
///
/// It is that of the ellipsoid that spreads as far as the body along its principal axes, exact for
/// ellipsoids and round discs: l = sum of kappa_k x_k n_k with kappa_k = alpha_k / (2 - alpha_k)
/// (H. Lamb, Hydrodynamics, sections 114 and 373).
///
/// Why l and not the pressure of the motion itself: of any motion of the surface, the force on the
/// air is the integral of rho l a_n over it (by reciprocity, where the normal is along one axis),
/// and that force is what is heard of it far away when the body is smaller than a wavelength.
std::vector<double> added_mass_lengths(const SurfaceSamples& samples);

}  // namespace peal::radiation

#pragma once

#include <complex>

/// Exact fields around a rigid sphere of radius a about the origin, as phasors exp(+i w t),
/// k = w / c. h_n is the spherical Hankel function of the second kind: outgoing waves.
namespace peal::validation {

using Complex = std::complex<double>;

Complex spherical_hankel(int n, double x);
Complex spherical_hankel_slope(int n, double x);  ///< h_n'(x)

/// Field of a sphere of unit normal acceleration: rho a^2 e^(-ik(r - a)) / (r (1 + ika)) (reference
/// A01).
Complex pulsating_sphere(double k, double a, double r);

/// Field of a sphere of unit acceleration along an axis, at an angle of cosine `cosine` from it:
/// -rho h_1(kr) / (k h_1'(ka)) cos (reference A04).
Complex oscillating_sphere(double k, double a, double r, double cosine);

/// Field of a cap of half angle `half_angle` [rad] and unit normal acceleration on a rigid sphere
/// (A07).
Complex cap_on_sphere(double k, double a, double half_angle, double r, double cosine);

/// Total field of a unit plane wave towards +z and its scattering by a rigid sphere: sum (2n + 1)
/// (-i)^n P_n (j_n(kr) - j_n'(ka) / h_n'(ka) h_n(kr)) (reference A08).
Complex scattered_plane_wave(double k, double a, double r, double cosine);

/// Total field for a point source at z = -distance whose wave has unit pressure and phase 0 at the
/// origin without the sphere; for r < distance.
Complex scattered_point_wave(double k, double a, double distance, double r, double cosine);

}  // namespace peal::validation

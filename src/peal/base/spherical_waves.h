#pragma once

#include <peal/geometry/mesh/vector.h>

#include <complex>
#include <span>

namespace peal::base {

/// The number of spherical harmonics up to an order L: (L + 1)^2. Harmonic (l, m), -l <= m <= l,
/// has the index l (l + 1) + m.
constexpr int harmonics_up_to(int order) {
  return (order + 1) * (order + 1);
}

/// Real spherical harmonics Y_lm of a direction (unit vector), orthonormal over the sphere, about
/// the z axis, without the phase (-1)^m: Y_00 = 1 / sqrt(4 pi), Y_11 = sqrt(3 / (4 pi)) x. `out`
/// has harmonics_up_to(order) values.
void spherical_harmonics(int order, const geometry::Vec3& direction, std::span<double> out);

/// How outgoing waves of each order fall off from the radius R to r: h_l(kr) / h_l(kR) e^(ik(r -
/// R)) for l = 0 .. order, with the spherical Hankel functions of the second kind (time factor
/// e^(+iwt)). The travel time from R to r is thus taken out. For k = 0 it is (R / r)^(l + 1).
void outgoing_ratios(int order, double k, double r, double radius,
                     std::span<std::complex<double>> out);

/// h_l(x) of the second kind for l = 0 .. order, by upward recursion; x > 0.
void spherical_hankel_up_to(int order, double x, std::span<std::complex<double>> out);

/// j_l(x) for l = 0 .. order, by downward recursion; x >= 0.
void spherical_bessel_up_to(int order, double x, std::span<double> out);

}  // namespace peal::base

#pragma once

#include <complex>

namespace peal::listener {

/// The pressure on a rigid sphere of radius a from a point source at distance r from its middle, at
/// the angle theta from the source, over the pressure that the source would make at the middle
/// (Duda & Martens 1998; time factor e^(+iwt)):
///
///     H = -r / (k a^2) e^(ikr) sum over m of (2m + 1) P_m(cos theta) h_m(kr) / h'_m(ka)
///
/// `distance` is at least 1.1 a. At f = 0 it is the limit.
std::complex<double> sphere_response(double frequency, double radius, double distance,
                                     double cosine, double speed_of_sound);

/// When the first sound arrives there, after it would have arrived at the middle [s]: straight
/// where the source is in sight, else around the sphere.
double sphere_delay(double radius, double distance, double cosine, double speed_of_sound);

}  // namespace peal::listener

#include <peal/validation/spherical_waves.h>
#include <peal/validation/wave_trial.h>

#include <cmath>

namespace peal::validation {

namespace {

constexpr Complex imaginary(0.0, 1.0);

double bessel(int n, double x) {
  return std::sph_bessel(static_cast<unsigned>(n), x);
}

double bessel_slope(int n, double x) {
  return n / x * bessel(n, x) - bessel(n + 1, x);
}

double legendre(int n, double x) {
  return std::legendre(static_cast<unsigned>(n), x);
}

/// Terms after which the series around a sphere are converged.
int terms(double k, double r) {
  return static_cast<int>(k * r + 6.0 * std::cbrt(k * r)) + 12;
}

/// j_n(kr) with what the rigid sphere adds to it.
Complex standing_with_sphere(int n, double k, double a, double r) {
  const Complex part = bessel_slope(n, k * a) / spherical_hankel_slope(n, k * a);
  return bessel(n, k * r) - part * spherical_hankel(n, k * r);
}

}  // namespace

Complex spherical_hankel(int n, double x) {
  // Upwards, h_(m+1) = (2m + 1) / x h_m - h_(m-1), which is stable for h.
  Complex before = imaginary * std::polar(1.0, -x) / x, now = before * (imaginary + 1.0 / x);
  if (n == 0) return before;
  for (int m = 1; m < n; ++m) {
    const Complex next = (2.0 * m + 1.0) / x * now - before;
    before = now;
    now = next;
  }
  return now;
}

Complex spherical_hankel_slope(int n, double x) {
  return n / x * spherical_hankel(n, x) - spherical_hankel(n + 1, x);
}

Complex pulsating_sphere(double k, double a, double r) {
  return air_density * a * a * std::exp(-imaginary * k * (r - a)) / (r * (1.0 + imaginary * k * a));
}

Complex oscillating_sphere(double k, double a, double r, double cosine) {
  return -air_density * spherical_hankel(1, k * r) / (k * spherical_hankel_slope(1, k * a)) *
         cosine;
}

Complex cap_on_sphere(double k, double a, double half_angle, double r, double cosine) {
  // The cap's velocity as a series: (P_(n-1)(cos) - P_(n+1)(cos)) / 2 of its edge.
  const double edge = std::cos(half_angle);
  Complex sum = 0.0;
  for (int n = 0; n < 60; ++n) {
    const double share = 0.5 * ((n == 0 ? 1.0 : legendre(n - 1, edge)) - legendre(n + 1, edge));
    const Complex ratio = spherical_hankel(n, k * r) / spherical_hankel_slope(n, k * a);
    sum -= air_density / k * share * ratio * legendre(n, cosine);
  }
  return sum;
}

Complex scattered_plane_wave(double k, double a, double r, double cosine) {
  Complex sum = 0.0, turn = 1.0;
  for (int n = 0; n < terms(k, r); ++n, turn *= -imaginary) {
    sum += (2.0 * n + 1.0) * turn * legendre(n, cosine) * standing_with_sphere(n, k, a, r);
  }
  return sum;
}

Complex scattered_point_wave(double k, double a, double distance, double r, double cosine) {
  // e^(-ikR) / R = -ik sum (2n + 1) j_n(kr) h_n(kd) P_n(cos of the angle between the two).
  Complex sum = 0.0;
  for (int n = 0; n < terms(k, r); ++n) {
    sum += (2.0 * n + 1.0) * spherical_hankel(n, k * distance) * legendre(n, -cosine) *
           standing_with_sphere(n, k, a, r);
  }
  return -imaginary * k * sum * distance * std::exp(imaginary * k * distance);
}

}  // namespace peal::validation

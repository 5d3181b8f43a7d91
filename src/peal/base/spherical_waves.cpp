#include <peal/base/spherical_waves.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace peal::base {

using Complex = std::complex<double>;

void spherical_harmonics(int order, const geometry::Vec3& direction, std::span<double> out) {
  const double x = direction.x(), y = direction.y(), z = direction.z();
  // sin(theta)^m is part of the power of x + iy; `diagonal` is the rest of the function of (m, m).
  Complex power = 1.0;
  double diagonal = std::sqrt(0.25 / std::numbers::pi);
  for (int m = 0; m <= order; ++m) {
    if (m > 0) {
      power *= Complex(x, y);
      diagonal *= std::sqrt((2.0 * m + 1.0) / (2.0 * m));
    }
    const double scale = m > 0 ? std::numbers::sqrt2 : 1.0;
    double before = 0.0, now = diagonal;
    for (int l = m; l <= order; ++l) {
      if (l > m) {
        const double l2 = double(l) * l, m2 = double(m) * m, lower = (l - 1.0) * (l - 1.0);
        const double a = std::sqrt((4.0 * l2 - 1.0) / (l2 - m2));
        const double b = std::sqrt((lower - m2) / (4.0 * lower - 1.0));
        const double next = a * (z * now - b * before);
        before = now;
        now = next;
      }
      out[static_cast<std::size_t>(l * (l + 1) + m)] = scale * now * power.real();
      if (m > 0) out[static_cast<std::size_t>(l * (l + 1) - m)] = scale * now * power.imag();
    }
  }
}

namespace {

/// h_l(x) e^(ix) for l = 0 .. order.
void phaseless_hankel(int order, double x, std::span<Complex> out) {
  out[0] = Complex(0.0, 1.0 / x);
  if (order > 0) out[1] = Complex(-1.0 / x, 1.0 / (x * x));
  for (int l = 1; l < order; ++l) {
    const auto i = static_cast<std::size_t>(l);
    out[i + 1] = (2.0 * l + 1.0) / x * out[i] - out[i - 1];
  }
}

}  // namespace

void outgoing_ratios(int order, double k, double r, double radius, std::span<Complex> out) {
  // Below this the ratios are those of k = 0 within 1e-8, and higher orders would overflow.
  constexpr double still = 1e-4;
  if (k * radius < still) {
    double ratio = radius / r;
    for (int l = 0; l <= order; ++l, ratio *= radius / r) out[static_cast<std::size_t>(l)] = ratio;
    return;
  }
  // h_(l-1) / h_l stays within the range of numbers where h_l itself does not:
  // h_(l+1) / h_l = (2l + 1) / x - h_(l-1) / h_l.
  const double far = k * r, near = k * radius;
  const auto first = [](double x) { return Complex(1.0 / x, 1.0); };  // h_1 / h_0
  out[0] = radius / r;
  Complex rise_far = first(far), rise_near = first(near);
  for (int l = 0; l < order; ++l) {
    if (l > 0) {
      rise_far = (2.0 * l + 1.0) / far - 1.0 / rise_far;
      rise_near = (2.0 * l + 1.0) / near - 1.0 / rise_near;
    }
    const auto i = static_cast<std::size_t>(l);
    out[i + 1] = out[i] * rise_far / rise_near;
  }
}

void spherical_hankel_up_to(int order, double x, std::span<Complex> out) {
  phaseless_hankel(order, x, out);
  const Complex phase = std::polar(1.0, -x);
  for (int l = 0; l <= order; ++l) out[static_cast<std::size_t>(l)] *= phase;
}

void spherical_bessel_up_to(int order, double x, std::span<double> out) {
  if (x < 1e-12) {
    std::ranges::fill(out.first(static_cast<std::size_t>(order) + 1), 0.0);
    out[0] = 1.0;
    return;
  }
  // Miller's downward recursion of ratios j_(l+1) / j_l from well above order and argument.
  const int start =
      std::max(order, static_cast<int>(x)) + 20 + static_cast<int>(std::sqrt(40.0 * (order + x)));
  double above = 0.0, now = 1e-300;
  for (int l = start; l > 0; --l) {
    const double below = (2.0 * l + 1.0) / x * now - above;
    above = now;
    now = below;
    if (l - 1 <= order) out[static_cast<std::size_t>(l - 1)] = now;
    if (l <= order) out[static_cast<std::size_t>(l)] = above;
    if (std::abs(now) > 1e200) {
      above *= 1e-250;
      now *= 1e-250;
      for (int i = l - 1; i <= order; ++i) out[static_cast<std::size_t>(i)] *= 1e-250;
    }
  }
  // j_0 and j_1 are not zero at the same place.
  const double j0 = std::sin(x) / x, j1 = (j0 - std::cos(x)) / x;
  const double scale = std::abs(j0) >= std::abs(j1) || order == 0 ? j0 / now : j1 / above;
  for (int l = 0; l <= order; ++l) out[static_cast<std::size_t>(l)] *= scale;
}

}  // namespace peal::base

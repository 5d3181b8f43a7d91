#include <peal/contact/oscillator_step.h>

#include <cmath>

namespace peal::contact {

OscillatorStep::OscillatorStep(double w, double d, double h) {
  // b1(h) is the answer to a unit force from rest and b2, which is also a12, its derivative.
  if ((w + 2.0 * d) * h < 0.5) {
    // By its Taylor series, as the closed form below loses digits: q''' = -2 d q'' - w^2 q' and so
    // on. The 17th term is below 1e-19 of the first.
    double before = 0.0, now = 1.0, power = h;  // derivatives n - 1 and n at 0, h^(n-1) / (n-1)!
    b1 = b2 = 0.0;
    for (int n = 2; n < 18; ++n) {
      b2 += now * power;
      power *= h / n;
      b1 += now * power;
      const double next = -2.0 * d * now - w * w * before;
      before = now;
      now = next;
    }
  } else {
    const double square = (w - d) * (w + d) * h * h, angle = std::sqrt(std::abs(square));
    double c, s;  // exp(-d h) cos and exp(-d h) sin / w_d, or their hyperbolic counterparts
    if (angle < 1e-4) {
      c = std::exp(-d * h);
      s = c * h;
    } else if (square > 0.0) {
      const double decay = std::exp(-d * h);
      c = decay * std::cos(angle);
      s = decay * h * std::sin(angle) / angle;
    } else {
      const double slow = std::exp(angle - d * h), fast = std::exp(-angle - d * h);
      c = 0.5 * (slow + fast);
      s = 0.5 * h * (slow - fast) / angle;
    }
    b1 = (1.0 - (c + d * s)) / (w * w);
    b2 = s;
  }
  a11 = 1.0 - w * w * b1;
  a12 = b2;
  a21 = -w * w * b2;
  a22 = a11 - 2.0 * d * b2;
}

}  // namespace peal::contact

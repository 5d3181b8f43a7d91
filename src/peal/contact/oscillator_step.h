#pragma once

namespace peal::contact {

/// An oscillator q'' + 2 d q' + w^2 q = f through a step of length h with a constant f, exactly:
///
///   q1 = a11 q + a12 v + b1 f,   v1 = a21 q + a22 v + b2 f.
struct OscillatorStep {
  double a11, a12, a21, a22, b1, b2;

  /// w, d, h: [rad/s], [1/s], [s].
  OscillatorStep(double w, double d, double h);
};

}  // namespace peal::contact

#pragma once

#include <peal/base/modes.h>

#include <complex>
#include <span>

namespace peal::play {

/// State of a mode at an instant.
struct ModeState {
  double q = 0.0;         ///< modal coordinate [m kg^1/2]
  double velocity = 0.0;  ///< its time derivative [m kg^1/2 / s]
};

/// The oscillator q'' + 2 d q' + w^2 q = f of a mode, in closed form.
class Oscillator {
 public:
  explicit Oscillator(const base::Mode& mode);

  /// Free motion: the state after `time` [s], which may be negative.
  ModeState after(const ModeState& now, double time) const;

  /// The steady motion Im(X exp(i omega t)) under f = sin(omega t): X [s^2].
  std::complex<double> steady(double omega) const;

 private:
  double w_, d_;          ///< [rad/s], [1/s]
  double damped_square_;  ///< w^2 - d^2; negative if the mode does not oscillate [1/s^2]
};

/// A strike F(t) = A sin(pi t / T), 0 <= t <= T, is the sum of two sines that begin at 0 and at T
/// and never end. Each makes a mode oscillate steadily at pi / T and ring besides, so that it
/// starts from rest. After T the steady parts cancel. So a strike needs no sampled force: the state
/// of each mode jumps twice, and during the contact one sine is added for each ear.
class HalfSine {
 public:
  /// Where pi / T comes within 1e-4 of the frequency of a mode, T is changed by that much: the two
  /// parts would grow and cancel beyond single precision.
  HalfSine(double contact_time, double impulse, std::span<const base::Mode> modes);

  double omega() const { return omega_; }  ///< pi / T [rad/s]
  double contact_time() const;             ///< T [s]

  /// X of the steady part Im(X exp(i omega t)) of a mode with this gain.
  std::complex<double> steady(const Oscillator& mode, double gain) const;
  /// State in which the mode rings besides, at the beginning of either sine.
  ModeState ring(const Oscillator& mode, double gain) const;

 private:
  double omega_;      ///< [rad/s]
  double amplitude_;  ///< A = impulse pi / (2 T) [N]
};

}  // namespace peal::play

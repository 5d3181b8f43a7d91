#pragma once

#include <peal/base/time.h>

#include <span>

namespace peal::base {

/// The force of an impact, which rises and falls as half a sine unless another profile is chosen:
/// F(t) = impulse pi / (2 T) sin(pi (t - start) / T) for a contact time T (Chadwick et al. 2012,
/// equations 6 and 10).
struct ForcePulse {
  double start = 0.0;         ///< [s]
  double contact_time = 0.0;  ///< T [s], above zero
  double impulse = 0.0;       ///< [N s]

  double end() const { return start + contact_time; }
};

/// The shape of a contact force over time. Both profiles have the same impulse and duration.
enum class PulseProfile {
  half_sine,  ///< Chadwick et al. 2012, equation 6
  hertz       ///< the exact collision of two elastic spheres: 1.171 times the peak, softer ends
};

/// Force times T over impulse at the fraction x of the contact time; 0 outside 0 to 1.
double pulse_force(PulseProfile profile, double x);

/// Fraction of the impulse delivered by the fraction x of the contact time: 0 to 1.
double pulse_passed(PulseProfile profile, double x);

/// Adds the force [N], times `scale`, to samples of `range`. A sample is the mean force from half a
/// step before it to half a step after, by the exact integral, so that the samples times the step
/// add up to the impulse for any contact time and rate.
void add_pulse(const ForcePulse& pulse, PulseProfile profile, double scale, Rate rate,
               SampleRange range, std::span<double> samples);

}  // namespace peal::base

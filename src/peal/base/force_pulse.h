#pragma once

#include <peal/base/time.h>

#include <span>

namespace peal::base {

/// An impact: a force that rises and falls as half a sine, unless another profile is asked for,
/// F(t) = impulse pi / (2 T) sin(pi (t - start) / T) for a contact time T
/// (Chadwick et al. 2012, equations 6 and 10).
struct ForcePulse {
  double start = 0.0;         ///< [s]
  double contact_time = 0.0;  ///< T [s], above zero
  double impulse = 0.0;       ///< [N s]

  double end() const { return start + contact_time; }
};

/// How a contact force rises and falls. Both have the same impulse and length.
enum class PulseProfile {
  half_sine,  ///< Chadwick et al. 2012, equation 6
  hertz       ///< the exact encounter of two elastic spheres: 1.171 times the peak, softer ends
};

/// Force times T over impulse at the part x of the contact time, 0 outside of 0 to 1.
double pulse_force(PulseProfile profile, double x);

/// Part of the impulse that has passed at the part x of the contact time: 0 to 1.
double pulse_passed(PulseProfile profile, double x);

/// Adds the force [N], times `scale`, to samples of `range`. A sample is the mean force from half
/// a step before it to half a step after, by the exact integral: however short the pulse and
/// whatever the rate, the samples times the step add up to the impulse.
void add_pulse(const ForcePulse& pulse, PulseProfile profile, double scale, Rate rate,
               SampleRange range, std::span<double> samples);

}  // namespace peal::base

#pragma once

#include <peal/base/force_pulse.h>
#include <peal/base/time.h>

#include <span>

namespace peal::contact {

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
void add_pulse(const base::ForcePulse& pulse, PulseProfile profile, double scale, base::Rate rate,
               base::SampleRange range, std::span<double> samples);

}  // namespace peal::contact

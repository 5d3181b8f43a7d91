#pragma once

#include <peal/base/medium.h>
#include <peal/base/modes.h>
#include <peal/base/radiation_filter.h>
#include <peal/util/archive.h>

#include <complex>
#include <vector>

namespace peal::base {

/// How the modes of a body in free air radiate.
struct RadiationAmplitudes {
  /// The radiation amplitude of each mode: pressure at 1 m, RMS over all directions, for a unit of
  /// the modal coordinate at the mode's frequency [Pa m / (m kg^1/2)].
  ///
  /// Modes whose fields are alike have signs with which they add up as their fields do. The second
  /// of two modes of equal frequency is imaginary, that is, a quarter of a period out of phase:
  /// such modes radiate in different directions, so their powers add; and which pair of the
  /// degenerate shapes of a round body an eigensolver finds is arbitrary. If they were in phase, an
  /// impact between them would be silent.
  std::vector<std::complex<double>> amplitudes;
  /// By how much each mode decays faster because it radiates [1/s]: its power over twice its
  /// energy.
  std::vector<double> decay_rates;
  /// How each mode radiates at other frequencies than its own (radiation_filters()); empty: as at
  /// its own.
  std::vector<RadiationFilter> filters;
};

/// By boundary elements (docs/theory/vibration.md), at frequencies a sixth of an octave apart; the
/// power of a mode is interpolated between them. Waves in the body that are too short for the
/// elements radiate as they do from an endless plane. `filters` stays empty.
RadiationAmplitudes radiation_amplitudes(const ModalModel& model, const Medium& medium);

/// By how much a mode with a radiation amplitude of magnitude `level` [Pa m / (m kg^1/2)] decays
/// faster because it radiates, d = 2 pi level^2 / (rho c w^2) [1/s].
double radiation_decay_rate(double level, double frequency, const Medium& medium);

/// Adds to the decay rates of modes what they lose by radiation.
void add_radiation_decay(const RadiationAmplitudes& radiation, std::vector<Mode>& modes);

void serialize(util::Archive& archive, RadiationAmplitudes& radiation);

}  // namespace peal::base

#pragma once

#include <peal/base/medium.h>
#include <peal/base/modes.h>

#include <cstdint>
#include <vector>

namespace peal::base {

/// How well a mode radiates at frequencies other than its own, for the same acceleration of the
/// surface: as |s / (s + corner)|^order, s = i w. A small source is a multipole, whose pressure
/// rises with that power of the frequency as long as sound is longer than the pattern of the mode;
/// beyond that it follows the acceleration. Forces move all modes at their own frequencies, not
/// only at those of the modes.
struct RadiationFilter {
  std::int64_t order = 0;  ///< 0: the same at all frequencies
  double corner = 0.0;     ///< [1/s]

  /// The magnitude at an angular frequency [1/s].
  double magnitude(double angular_frequency) const;
};

/// The filter of each mode, fitted to the RMS over all directions of its field, which boundary
/// elements of at most 250 points give at half octaves from a quarter of the lowest mode's
/// frequency to twice the highest; no corner is above the highest. A mode that is above what these
/// points resolve keeps order 0.
std::vector<RadiationFilter> radiation_filters(const ModalModel& model, const Medium& medium);

}  // namespace peal::base

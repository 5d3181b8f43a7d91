#pragma once

#include <peal/util/spectrum.h>

#include <vector>

namespace peal::plot {

struct SpectralPeak {
  double frequency = 0;  ///< [Hz], between bins by a parabola through the logarithms
  double power = 0;      ///< value at the top of the parabola [unit^2]
};

/// Peaks that stand out, strongest first: at least `prominence_db` above the higher of the two
/// valleys that separate them from anything stronger, and no more than `range_db` below the
/// strongest. At most 64.
std::vector<SpectralPeak> spectral_peaks(const util::PowerSpectrum& spectrum,
                                         double prominence_db = 12, double range_db = 70);

}  // namespace peal::plot

#pragma once

#include <peal/base/medium.h>
#include <peal/base/time.h>
#include <peal/base/wave_settings.h>

namespace peal::wave {

/// The cell size of the grid and the sample rate of the solver.
struct Discretisation {
  double cell_size = 0.0;             ///< h [m]
  base::Rate rate;                    ///< of the solver, commensurate with the audio rate and often below it
  double cells_per_wavelength = 0.0;  ///< at the highest frequency
  double speed_error = 0.0;           ///< relative, at the highest frequency along a grid axis
};

/// The relative error of the phase velocity of the leapfrog scheme at its stability limit, for
/// waves along a grid axis, where it is largest: sin^2(w tau / 2) = lambda^2 sin^2(k h / 2). It is
/// negative.
double axis_speed_error(double cells_per_wavelength);

/// The fewest cells per wavelength for which waves are at most `speed_error` too slow.
double cells_for_speed_error(double speed_error);

/// The coarsest cell that has the requested accuracy at the highest frequency, a little less where
/// that makes the rate at the stability limit commensurate with the audio rate: at the limit, waves
/// are cheapest and most accurate. A given cell size is kept. The work for a second of sound grows
/// with the fourth power of the band, whatever the audio rate.
Discretisation choose_discretisation(const base::WaveSettings& settings, base::Rate audio,
                                     const base::Medium& medium);

}  // namespace peal::wave

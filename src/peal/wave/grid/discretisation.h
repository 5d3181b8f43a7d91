#pragma once

#include <peal/base/medium.h>
#include <peal/base/time.h>
#include <peal/base/wave_settings.h>

namespace peal::wave {

/// The grid's cell and the solver's rate.
struct Discretisation {
  double cell_size = 0.0;             ///< h [m]
  base::Rate rate;                    ///< of the solver, a whole multiple of the audio rate
  double cells_per_wavelength = 0.0;  ///< at the highest frequency
  double speed_error = 0.0;           ///< of a wave of the highest frequency along a grid axis
};

/// Relative error of the phase velocity of the leapfrog scheme at its stability limit, for waves
/// along a grid axis, where it is largest: sin^2(w tau / 2) = lambda^2 sin^2(k h / 2). Negative.
double axis_speed_error(double cells_per_wavelength);

/// The fewest cells in a wavelength whose waves are at most `speed_error` too slow.
double cells_for_speed_error(double speed_error);

/// The coarsest cell that keeps the asked accuracy at the highest frequency and makes the stability
/// limit a whole multiple of the audio rate: at the limit waves are fastest to compute and most
/// exact. A given cell size is kept, with the lowest stable multiple.
Discretisation choose_discretisation(const base::WaveSettings& settings, base::Rate audio,
                                     const base::Medium& medium);

}  // namespace peal::wave

#pragma once

#include <peal/base/time.h>

namespace peal::wave {

/// The longest stable time step [s] of the leapfrog scheme (Wang et al. 2018, section 3.1):
/// tau c <= sqrt(alpha^2 + h^2 / 3) - alpha.
double stable_step(double cell_size,         ///< h [m]
                   double speed_of_sound,    ///< c [m/s]
                   double viscosity = 0.0);  ///< alpha of equation (1) [m]

/// A rate commensurate with `audio` whose step is at most `margin` times the stable one, and hardly
/// less: a step close to the limit is cheap and has the least dispersion.
base::Rate choose_rate(base::Rate audio, double cell_size, double speed_of_sound,
                       double viscosity = 0.0, double margin = 0.999);

/// The Courant number lambda = tau c / h.
inline double courant_number(double cell_size, double speed_of_sound, double step) {
  return step * speed_of_sound / cell_size;
}

}  // namespace peal::wave

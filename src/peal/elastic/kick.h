#pragma once

namespace peal::elastic {

/// Coefficients of the velocity update of leapfrog: v(n+1/2) = keep v(n-1/2) + push f / m.
struct Kick {
  double dt;                  ///< [s]
  double keep;                ///< [1]
  double push;                ///< [s]
  double mass_damping = 0.0;  ///< [1/s]
  bool is_first = false;      ///< half a kick: velocities are given at time zero
};

/// Energies and work of one step [J]. The force at a time step does work over the half steps before
/// and after it.
struct Work {
  double kinetic = 0.0;  ///< at the time step
  double given_before = 0.0, given_after = 0.0;
  double damped_before = 0.0, damped_after = 0.0;
};

}  // namespace peal::elastic

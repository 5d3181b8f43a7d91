#pragma once

namespace peal::elastic {

/// v(n+1/2) = keep v(n-1/2) + push f / m.
struct Kick {
  double dt;                  ///< [s]
  double keep;                ///< [1]
  double push;                ///< [s]
  double mass_damping = 0.0;  ///< [1/s]
  bool is_first = false;      ///< half a kick: velocities are given at time zero
};

/// Of one step [J]. The force at an instant works over the half steps before and after it.
struct Work {
  double kinetic = 0.0;  ///< at the instant
  double given_before = 0.0, given_after = 0.0;
  double damped_before = 0.0, damped_after = 0.0;
};

}  // namespace peal::elastic

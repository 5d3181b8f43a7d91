#pragma once

#include <peal/bubbles/forcing.h>

namespace peal::bubbles {

/// Volume [m^3], its velocity [m^3/s] and acceleration [m^3/s^2].
struct VolumeState {
  double volume = 0.0, velocity = 0.0, acceleration = 0.0;
};

/// The motion of V'' + 2 beta V' + omega^2 V = 0 after a time, from volume and velocity.
class FreeMotion {
 public:
  /// beta < omega.
  FreeMotion(double omega, double beta, double time);
  VolumeState operator()(const VolumeState& from) const;

  double vv, vw, wv, ww;  ///< next volume and velocity (w) by those before
  double omega, beta;
};

/// The motion from rest under a forcing, in closed form, while it acts:
/// V = k (t^2 / omega^2 - 4 beta t / omega^4 + 8 beta^2 / omega^6 - 2 / omega^4) + free motion.
class ForcedResponse {
 public:
  ForcedResponse(const Forcing& forcing, double omega, double beta);

  /// At `t` after its begin; `t` up to its duration [s].
  VolumeState at(double t) const;
  /// The work of the forcing over the effective mass, integral of F V' dt / m [m^6/s^2]; up to t.
  double work(double t) const;
  /// The integral of V'^2 dt and of V''^2 dt up to t.
  double squared_velocity(double t) const;
  double squared_acceleration(double t) const;

 private:
  template <class Function>
  double integral(double t, const Function& function) const;

  Forcing forcing_;
  double omega_, beta_;
  double square_, line_, constant_;  ///< of the polynomial part
};

}  // namespace peal::bubbles

#pragma once

namespace peal::base {

/// A blow: a force that rises and falls as half a sine,
/// F(t) = impulse pi / (2 T) sin(pi (t - start) / T) for a contact time T
/// (Chadwick et al. 2012, equations 6 and 10).
struct ForcePulse {
  double start = 0.0;         ///< [s]
  double contact_time = 0.0;  ///< T [s], above zero
  double impulse = 0.0;       ///< [N s]

  double end() const { return start + contact_time; }
};

}  // namespace peal::base

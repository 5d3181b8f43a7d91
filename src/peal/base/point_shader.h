#pragma once

#include <peal/base/signal.h>

namespace peal::base {

/// Sound of a point: a small pulsating body with a mass flux of rate q'(t) [kg/s^2]. Its strength
/// is s(t) = q'(t) / (4 pi), which is the pressure [Pa] of the source at rest at a distance of 1 m.
class PointShader {
 public:
  virtual ~PointShader() = default;

  /// Strength [Pa m] over `range`; the signal may be shorter where the source is silent.
  virtual Signal strength(Rate rate, SampleRange range) const = 0;
};

}  // namespace peal::base

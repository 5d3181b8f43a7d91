#pragma once

#include <peal/base/signal.h>

namespace peal::base {

/// Sound made by a point: a small pulsating body of mass flux rate q'(t) [kg/s^2].
/// Its strength is s(t) = q'(t) / (4 pi): the pressure [Pa] it makes at rest at a distance of 1 m.
class PointShader {
 public:
  virtual ~PointShader() = default;

  /// Strength [Pa m] over `range`; the signal may be shorter where the source is silent.
  virtual Signal strength(Rate rate, SampleRange range) const = 0;
};

}  // namespace peal::base

#pragma once

#include <peal/geometry/vector.h>

namespace peal::base {

/// A solid by the distance from its surface.
class SignedDistance {
 public:
  virtual ~SignedDistance() = default;

  /// Signed distance of p from the surface, negative inside [m]; `normal` becomes its gradient.
  virtual double distance(const geometry::Vec3& p, geometry::Vec3& normal) const = 0;
};

}  // namespace peal::base

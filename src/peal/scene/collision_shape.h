#pragma once

#include <peal/geometry/polygon.h>
#include <peal/geometry/vector.h>

#include <variant>

namespace peal::scene {

// What rigid bodies collide as: smooth surfaces by formula. Meshes would not do: a rim of facets
// rolls like a machine gun, and no filter takes that out of the sound. All in the object's frame.

struct BallShape {
  double radius = 1.0;  ///< [m]
};

/// A box around the origin with rounded edges.
struct BoxShape {
  geometry::Vec3 size = geometry::Vec3::Ones();  ///< along x, y, z [m]
  double fillet = 0.0;                           ///< radius of its edges [m]
};

/// A solid that turns around Y: the corners of its half section, (distance from the axis, height),
/// in either sense; corners are rounded.
struct TurnedShape {
  geometry::Polygon section;  ///< [m]
  double fillet = 0.0;        ///< [m]
};

/// Everything below y = 0.
struct FloorShape {};

/// How a body meets others.
struct ContactProperties {
  double friction = 0.4;            ///< mu [1]
  double restitution = 0.5;         ///< e [1]: 0 does not bounce, 1 loses nothing
  double rolling_resistance = 0.0;  ///< work per normal force and way of the point of contact [1]
  /// Radius of its sharpest edges [m]: 0.2 mm on machined metal, 0.5 mm on plastic and ceramics.
  double fillet = 3e-4;
};

using CollisionShape = std::variant<BallShape, BoxShape, TurnedShape, FloorShape>;

}  // namespace peal::scene

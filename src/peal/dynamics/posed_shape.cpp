#include <peal/dynamics/posed_shape.h>

#include <cmath>

namespace peal::dynamics {

PosedShape place(const SmoothShape& shape, const base::Pose& body) {
  return {&shape,
          {.position = body.to_world(shape.frame().position),
           .orientation = body.orientation * shape.frame().orientation}};
}

/// Distance from a convex body is convex, so that the plane at the middle of the other lies below
/// it.
bool are_apart(const PosedShape& a, const PosedShape& b, double margin) {
  if (std::isfinite(a.shape->reach()) && std::isfinite(b.shape->reach())) {
    const double reach = a.shape->reach() + b.shape->reach() + margin;
    if ((a.middle() - b.middle()).squaredNorm() > reach * reach) return true;
  }
  const auto is_off = [&](const PosedShape& one, const PosedShape& convex) {
    if (!convex.shape->is_convex() || one.shape->is_floor()) return false;
    Vec3 normal;
    const double d = convex.shape->distance(convex.pose.to_local(one.middle()), normal);
    const Vec3 own = one.pose.orientation.conjugate() * (convex.pose.orientation * normal);
    return d - one.shape->extent(own) > margin;
  };
  return is_off(a, b) || is_off(b, a);
}

}  // namespace peal::dynamics

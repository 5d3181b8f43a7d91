#pragma once

#include <peal/base/motion.h>
#include <peal/dynamics/smooth_shape.h>

namespace peal::dynamics {

/// A shape with its pose.
struct PosedShape {
  const SmoothShape* shape = nullptr;
  base::Pose pose;  ///< of the shape's own frame

  Vec3 middle() const { return pose.to_world(shape->middle()); }  ///< [m]
};

/// Places the shape of a body whose pose is `body`.
PosedShape place(const SmoothShape& shape, const base::Pose& body);

/// A quick conservative test whether two shapes are farther apart than `margin` [m]; it may miss
/// some that are.
bool are_apart(const PosedShape& a, const PosedShape& b, double margin);

}  // namespace peal::dynamics

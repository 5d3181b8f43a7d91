#pragma once

#include <peal/base/rigid_body.h>
#include <peal/dynamics/smooth_shape.h>

#include <LinearMath/btTransform.h>

#include <memory>

class btCollisionShape;

// For the files of BulletWorld alone: what Bullet is called with does not leave them.

namespace peal::dynamics {

inline btVector3 to_bullet(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
inline Vec3 from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}
inline btTransform to_bullet(const base::Pose& pose) {
  const geometry::Quat& q = pose.orientation;
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), to_bullet(pose.position));
}
inline base::Pose from_bullet(const btTransform& transform) {
  const btQuaternion q = transform.getRotation();
  return {.position = from_bullet(transform.getOrigin()),
          .orientation = geometry::Quat(q.w(), q.x(), q.y(), q.z())};
}

/// Makes the shape in a body's principal frame. Balls, boxes and meshes that are convex polyhedra
/// become shapes of Bullet; its boxes have sharp edges against each other and rounded edges against
/// other shapes. Floors, and hollow or round shapes, are given to BulletNarrowPhase by their signed
/// distance: no hull or decomposition has enough facets for a rim to roll quietly.
std::unique_ptr<btCollisionShape> make_bullet_shape(const scene::CollisionShape& shape,
                                                    std::shared_ptr<const SmoothShape> smooth,
                                                    const base::MassFrame& frame);

}  // namespace peal::dynamics

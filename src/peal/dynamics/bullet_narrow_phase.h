#pragma once

#include <peal/base/rigid_body.h>
#include <peal/dynamics/smooth_shape.h>

#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>

#include <cstdint>
#include <memory>

// For the files of BulletWorld alone.

namespace peal::dynamics {

/// User pointer of a collision object of Bullet: the body that it stands for.
struct BulletBody {
  std::uint32_t index = 0;
  std::shared_ptr<const SmoothShape> shape;
  base::MassFrame frame = {};  ///< the body's own frame if it is not free
};

/// Narrow phase for shapes that Bullet does not have: find_contact_points() finds the contact
/// points of the smooth surfaces of both bodies.
class BulletNarrowPhase : public btDefaultCollisionConfiguration {
 public:
  BulletNarrowPhase();

  btCollisionAlgorithmCreateFunc* getCollisionAlgorithmCreateFunc(int type_0, int type_1) override;

 private:
  struct Create : btCollisionAlgorithmCreateFunc {
    btCollisionAlgorithm* CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo& info,
                                                   const btCollisionObjectWrapper* a,
                                                   const btCollisionObjectWrapper* b) override;
  };
  Create create_;
};

}  // namespace peal::dynamics

#pragma once

#include <peal/base/rigid_body.h>
#include <peal/dynamics/smooth_shape.h>

#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletCollision/CollisionDispatch/btDefaultCollisionConfiguration.h>

#include <cstdint>
#include <memory>

// For the files of BulletWorld alone.

namespace peal::dynamics {

/// What a collision object of Bullet stands for: its user pointer.
struct BulletBody {
  std::uint32_t index = 0;
  std::shared_ptr<const SmoothShape> shape;
  base::MassFrame frame = {};  ///< of a body that is not free: the body's own frame
};

/// Meets what Bullet has no shape for with anything: by the smooth surfaces of both, which touch
/// where find_contact_points() says.
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

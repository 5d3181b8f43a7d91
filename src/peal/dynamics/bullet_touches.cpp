#include <peal/dynamics/bullet_shape.h>
#include <peal/dynamics/bullet_touches.h>
#include <peal/dynamics/touch.h>

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <algorithm>
#include <new>
#include <vector>

namespace peal::dynamics {

namespace {

const BulletBody& body_of(const btCollisionObject& object) {
  return *static_cast<const BulletBody*>(object.getUserPointer());
}

PlacedShape placed_object(const btCollisionObject& object) {
  const BulletBody& body = body_of(object);
  const base::Pose at = from_bullet(object.getWorldTransform());
  const base::RigidState state{.position = at.position, .orientation = at.orientation};
  return place(*body.shape, base::body_pose(body.frame, state));
}

/// All touches of two bodies, in as many manifolds as it takes: Bullet's hold four points.
class TouchAlgorithm : public btCollisionAlgorithm {
 public:
  explicit TouchAlgorithm(const btCollisionAlgorithmConstructionInfo& info)
      : btCollisionAlgorithm(info) {}
  ~TouchAlgorithm() override {
    for (btPersistentManifold* manifold : manifolds_) m_dispatcher->releaseManifold(manifold);
  }
  TouchAlgorithm(const TouchAlgorithm&) = delete;
  TouchAlgorithm& operator=(const TouchAlgorithm&) = delete;

  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                        const btDispatcherInfo&, btManifoldResult*) override {
    const btCollisionObject &object_a = *a->getCollisionObject(),
                            &object_b = *b->getCollisionObject();
    const PlacedShape shape_a = placed_object(object_a), shape_b = placed_object(object_b);
    const std::vector<Held> before = take_points();
    if (are_apart(shape_a, shape_b, 0.0)) return;
    touches_.clear();
    find_touches(shape_a, shape_b, body_of(object_a).index, body_of(object_b).index, 0.0, touches_);
    for (std::size_t i = 0; i < touches_.size(); ++i) {
      if (i / MANIFOLD_CACHE_SIZE == manifolds_.size()) {
        manifolds_.push_back(m_dispatcher->getNewManifold(&object_a, &object_b));
      }
      const Touch& touch = touches_[i];
      btManifoldPoint point(object_a.getWorldTransform().invXform(to_bullet(touch.on_a())),
                            object_b.getWorldTransform().invXform(to_bullet(touch.on_b())),
                            to_bullet(touch.normal), touch.gap);
      point.m_positionWorldOnA = to_bullet(touch.on_a());
      point.m_positionWorldOnB = to_bullet(touch.on_b());
      // Most contacts go on as they were.
      if (const auto same = std::ranges::find(before, touch.key, &Held::key);
          same != before.end()) {
        point.m_appliedImpulse = same->push;
      }
      manifolds_[i / MANIFOLD_CACHE_SIZE]->addManifoldPoint(point);
      keys_.push_back(touch.key);
    }
  }
  btScalar calculateTimeOfImpact(btCollisionObject*, btCollisionObject*, const btDispatcherInfo&,
                                 btManifoldResult*) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray& all) override {
    for (btPersistentManifold* manifold : manifolds_) all.push_back(manifold);
  }

 private:
  /// A touch of the step before, with what it was given.
  struct Held {
    std::uint64_t key;
    double push;  ///< [N s]
  };

  std::vector<Held> take_points() {
    std::vector<Held> points;
    for (btPersistentManifold* manifold : manifolds_) {
      for (int i = 0; i < manifold->getNumContacts(); ++i) {
        points.push_back({keys_[points.size()], manifold->getContactPoint(i).m_appliedImpulse});
      }
      manifold->clearManifold();
    }
    keys_.clear();
    return points;
  }

  std::vector<btPersistentManifold*> manifolds_;
  std::vector<std::uint64_t> keys_;  ///< of the touches in them
  std::vector<Touch> touches_;
};

btDefaultCollisionConstructionInfo room_for_touches() {
  btDefaultCollisionConstructionInfo info;
  info.m_customCollisionAlgorithmMaxElementSize = sizeof(TouchAlgorithm);
  return info;
}

}  // namespace

BulletTouches::BulletTouches() : btDefaultCollisionConfiguration(room_for_touches()) {}

btCollisionAlgorithmCreateFunc* BulletTouches::getCollisionAlgorithmCreateFunc(int type_0,
                                                                               int type_1) {
  if (type_0 == CUSTOM_CONCAVE_SHAPE_TYPE || type_1 == CUSTOM_CONCAVE_SHAPE_TYPE) return &create_;
  return btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc(type_0, type_1);
}

btCollisionAlgorithm* BulletTouches::Create::CreateCollisionAlgorithm(
    btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper*,
    const btCollisionObjectWrapper*) {
  return new (info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(TouchAlgorithm)))
      TouchAlgorithm(info);
}

}  // namespace peal::dynamics

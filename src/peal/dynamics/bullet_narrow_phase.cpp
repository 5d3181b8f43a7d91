#include <peal/dynamics/bullet_narrow_phase.h>
#include <peal/dynamics/bullet_shape.h>
#include <peal/dynamics/contact_point.h>

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

PosedShape placed_object(const btCollisionObject& object) {
  const BulletBody& body = body_of(object);
  const base::Pose at = from_bullet(object.getWorldTransform());
  const base::RigidState state{.position = at.position, .orientation = at.orientation};
  return place(*body.shape, base::body_pose(body.frame, state));
}

/// All contact points of two bodies, in as many of Bullet's manifolds of four points as it takes.
class ContactAlgorithm : public btCollisionAlgorithm {
 public:
  explicit ContactAlgorithm(const btCollisionAlgorithmConstructionInfo& info)
      : btCollisionAlgorithm(info) {}
  ~ContactAlgorithm() override {
    for (btPersistentManifold* manifold : manifolds_) m_dispatcher->releaseManifold(manifold);
  }
  ContactAlgorithm(const ContactAlgorithm&) = delete;
  ContactAlgorithm& operator=(const ContactAlgorithm&) = delete;

  void processCollision(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b,
                        const btDispatcherInfo&, btManifoldResult*) override {
    const btCollisionObject &object_a = *a->getCollisionObject(),
                            &object_b = *b->getCollisionObject();
    const PosedShape shape_a = placed_object(object_a), shape_b = placed_object(object_b);
    const std::vector<Held> before = take_points();
    if (are_apart(shape_a, shape_b, 0.0)) return;
    contact_points_.clear();
    find_contact_points(shape_a, shape_b, body_of(object_a).index, body_of(object_b).index, 0.0,
                        contact_points_);
    for (std::size_t i = 0; i < contact_points_.size(); ++i) {
      if (i / MANIFOLD_CACHE_SIZE == manifolds_.size()) {
        manifolds_.push_back(m_dispatcher->getNewManifold(&object_a, &object_b));
      }
      const ContactPoint& contact_point = contact_points_[i];
      btManifoldPoint point(object_a.getWorldTransform().invXform(to_bullet(contact_point.on_a())),
                            object_b.getWorldTransform().invXform(to_bullet(contact_point.on_b())),
                            to_bullet(contact_point.normal), contact_point.gap);
      point.m_positionWorldOnA = to_bullet(contact_point.on_a());
      point.m_positionWorldOnB = to_bullet(contact_point.on_b());
      // Most contacts persist.
      if (const auto same = std::ranges::find(before, contact_point.key, &Held::key);
          same != before.end()) {
        point.m_appliedImpulse = same->push;
      }
      manifolds_[i / MANIFOLD_CACHE_SIZE]->addManifoldPoint(point);
      keys_.push_back(contact_point.key);
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
  /// A contact point of the last step, with its impulse.
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
  std::vector<std::uint64_t> keys_;  ///< keys of the contact points in them
  std::vector<ContactPoint> contact_points_;
};

btDefaultCollisionConstructionInfo room_for_contacts() {
  btDefaultCollisionConstructionInfo info;
  info.m_customCollisionAlgorithmMaxElementSize = sizeof(ContactAlgorithm);
  return info;
}

}  // namespace

BulletNarrowPhase::BulletNarrowPhase() : btDefaultCollisionConfiguration(room_for_contacts()) {}

btCollisionAlgorithmCreateFunc* BulletNarrowPhase::getCollisionAlgorithmCreateFunc(int type_0,
                                                                                   int type_1) {
  if (type_0 == CUSTOM_CONCAVE_SHAPE_TYPE || type_1 == CUSTOM_CONCAVE_SHAPE_TYPE) return &create_;
  return btDefaultCollisionConfiguration::getCollisionAlgorithmCreateFunc(type_0, type_1);
}

btCollisionAlgorithm* BulletNarrowPhase::Create::CreateCollisionAlgorithm(
    btCollisionAlgorithmConstructionInfo& info, const btCollisionObjectWrapper*,
    const btCollisionObjectWrapper*) {
  return new (info.m_dispatcher1->allocateCollisionAlgorithm(sizeof(ContactAlgorithm)))
      ContactAlgorithm(info);
}

}  // namespace peal::dynamics

#pragma once

#include <peal/dynamics/bullet_narrow_phase.h>
#include <peal/dynamics/bullet_shape.h>
#include <peal/dynamics/bullet_world.h>
#include <peal/dynamics/rest_recorder.h>

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

// For the files of BulletWorld alone.

namespace peal::dynamics {

/// Bullet's world with callbacks for when contacts have been found and when they have been solved.
class ObservedWorld : public btDiscreteDynamicsWorld {
 public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  std::function<void()> found, solved;

  void updateAabbs() override;  // NOLINT(readability-identifier-naming): of Bullet

 protected:
  void solveConstraints(btContactSolverInfo& info) override {
    found();
    btDiscreteDynamicsWorld::solveConstraints(info);
    solved();
  }
};

class BulletWorld::Impl {
 public:
  Impl(std::vector<RigidBodySettings> bodies, const RigidSettings& settings);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void step();
  double time() const { return static_cast<double>(steps_) * settings_.step; }
  base::Pose pose(std::size_t body) const;
  double energy() const;
  const btRigidBody& rigid(std::size_t body) const { return *bodies_[body].rigid; }

  std::vector<std::uint32_t> free;
  base::ContactLog log;
  double rest_impulse = 0.0;

 private:
  struct Body {
    RigidBodySettings settings;
    std::unique_ptr<BulletBody> known;
    std::unique_ptr<btCollisionShape> shape;
    std::unique_ptr<btRigidBody> rigid;
    bool is_free = false, is_moving = false;  ///< neither: it stands still
    std::optional<base::Pose> seen;           ///< pose at the last check for movement
    double rest = 0.0, rest_seen = 0.0;       ///< impulse of its contacts at rest [N s]
    double rest_rate = 0.0;                   ///< impulse of contacts at rest per step [N s]

    Vec3 velocity_at(const Vec3& point) const {
      return from_bullet(rigid->getVelocityInLocalPoint(to_bullet(point) -
                                                        rigid->getWorldTransform().getOrigin()));
    }
    /// Velocity that an impulse at `point` adds to the body there [m/s].
    Vec3 velocity_by(const Vec3& impulse, const Vec3& point) const;
    double reach() const { return known->shape->reach(); }
  };
  /// A contact point at which Bullet applies an impulse in this step.
  struct Contact {
    btManifoldPoint* point;
    std::uint32_t a, b;
    Vec3 at, normal, velocity;  ///< velocity of a relative to b before
    double depth;               ///< [m]
    bool bounces;
    double fresh = 1.0;   ///< fraction of the impulse that is new in this step
    double struck = 0.0;  ///< impact speed; 0 if it is no impact [m/s]

    double approach() const { return -normal.dot(velocity); }
    Vec3 impulse() const;  ///< after contacts are solved [N s]
    /// Clears the impulse from which Bullet would start the next step; that of an impact is no good
    /// guess.
    void forget() { point->m_appliedImpulse = 0; }
  };
  /// A contact point of the last step.
  struct JointPoint {
    Vec3 at, normal;
  };
  /// The contact points of two bodies in the last step.
  struct JointPair {
    std::int64_t step = -1;
    double push = 0.0;  ///< [N s]
    std::vector<JointPoint> points;

    const JointPoint* nearest(const Contact& contact, double within) const;
  };

  void add(RigidBodySettings settings, std::shared_ptr<const SmoothShape> shape);
  void add(const RigidJoint& joint);
  void place_scripted();
  void prepare_contacts();
  double restitution_of(const Contact& contact) const;
  double slowest_impact(const Contact& contact) const;
  void point_friction(const Contact& contact, btManifoldPoint& point) const;
  /// Acceleration of a relative to b by gravity, in units of gravity: 1, 0 or -1.
  double falls(const Contact& contact) const {
    return (bodies_[contact.a].is_free ? 1.0 : 0.0) - (bodies_[contact.b].is_free ? 1.0 : 0.0);
  }
  void report_contacts();
  void pass_on();
  base::ContactRecord record_of(const Contact& contact) const;
  void report_impact(Contact& contact);
  void report_sustained(const Contact& contact);
  double rolling_speed(const Contact& contact) const;
  void resist(std::uint32_t body, double work);
  const JointPair* held(const Contact& contact) const;
  double size_of(const Contact& contact) const {
    return std::min(bodies_[contact.a].reach(), bodies_[contact.b].reach());
  }
  Vec3 turning(const Contact& contact) const {
    return from_bullet(bodies_[contact.a].rigid->getAngularVelocity() -
                       bodies_[contact.b].rigid->getAngularVelocity());
  }
  void look_for_movement();
  bool is_asleep(const Body& body) const { return body.is_free && !body.rigid->isActive(); }

  RigidSettings settings_;
  RestRecorder rests_;
  double contact_speed_;  ///< slower approaches do not bounce [m/s]
  std::int64_t steps_ = 0, looked_at_ = 0;
  std::vector<Body> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<Contact> contacts_;
  std::unordered_map<std::uint64_t, JointPair> held_;  ///< by pair_key()

  BulletNarrowPhase configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  /// Sweep and prune. (Bullet's tree enlarges boxes by 5 cm, with a global variable.)
  bt32BitAxisSweep3 broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  ObservedWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
};

}  // namespace peal::dynamics

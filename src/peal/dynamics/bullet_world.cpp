#include <peal/dynamics/bullet_shape.h>
#include <peal/dynamics/bullet_touches.h>
#include <peal/dynamics/bullet_world.h>
#include <peal/dynamics/touch.h>

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <unordered_map>

namespace peal::dynamics {

namespace {

/// Sweeps over all contacts, and the change of velocity [m/s] at which they end before.
constexpr int most_sweeps = 20;
constexpr double no_change = 1e-6;
constexpr int most_passed = 32;  ///< times that a blow is passed on in a step
/// What boxes around bodies are larger, of their size: so that pairs do not come and go.
constexpr double box_margin = 0.01;
/// What goes farther meets others in a coarser grid [m].
constexpr double world_size = 1e4;
constexpr double recovery = 0.2;  ///< part of an overlap that goes in a step
/// Where contacts that last come to: at none, rounding would end and begin them again [m].
constexpr double resting_depth = 1e-8;
constexpr double slowest_slip = 1e-12;  ///< that has a direction [m/s]

/// Bullet's world, which tells when contacts are known and when they are solved for.
class TellingWorld : public btDiscreteDynamicsWorld {
 public:
  using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;

  std::function<void()> found, solved;

  /// Bullet's adds 2 cm all around, by a global: more than a die, which then has forty neighbours.
  void updateAabbs() override {
    for (int i = 0; i < m_collisionObjects.size(); ++i) {
      btCollisionObject& object = *m_collisionObjects[i];
      if (!object.isActive()) continue;
      btVector3 low, high;
      object.getCollisionShape()->getAabb(object.getWorldTransform(), low, high);
      const btVector3 around = box_margin * (high - low);
      m_broadphasePairCache->setAabb(object.getBroadphaseHandle(), low - around, high + around,
                                     m_dispatcher1);
    }
  }

 protected:
  void solveConstraints(btContactSolverInfo& info) override {
    found();
    btDiscreteDynamicsWorld::solveConstraints(info);
    solved();
  }
};

/// A rod that turns freely at both ends, or a string; Bullet has none. Row: the speed at which the
/// ends part, at most what brings the length back.
class Rod : public btTypedConstraint {
 public:
  Rod(btRigidBody& a, btRigidBody& b, const btVector3& at_a, const btVector3& at_b, double length,
      bool is_string)
      : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b),
        at_a_(at_a),
        at_b_(at_b),
        length_(length),
        is_string_(is_string) {}

  void getInfo1(btConstraintInfo1* info) override {
    info->m_numConstraintRows = 1;
    info->nub = 0;
  }
  void getInfo2(btConstraintInfo2* info) override {
    const btVector3 arm_a = m_rbA.getWorldTransform().getBasis() * at_a_;
    const btVector3 arm_b = m_rbB.getWorldTransform().getBasis() * at_b_;
    const btVector3 between = m_rbA.getWorldTransform().getOrigin() + arm_a -
                              m_rbB.getWorldTransform().getOrigin() - arm_b;
    const double now = between.length();
    const btVector3 along = between / now;
    const btVector3 turn_a = arm_a.cross(along), turn_b = -arm_b.cross(along);
    for (int k = 0; k < 3; ++k) {
      info->m_J1linearAxis[k] = along[k];
      info->m_J1angularAxis[k] = turn_a[k];
      info->m_J2linearAxis[k] = -along[k];
      info->m_J2angularAxis[k] = turn_b[k];
    }
    // A string that hangs loose may come to its length within the step.
    const bool is_loose = is_string_ && now < length_;
    info->m_constraintError[0] = info->fps * (is_loose ? 1.0 : info->erp) * (length_ - now);
    info->m_lowerLimit[0] = -SIMD_INFINITY;
    info->m_upperLimit[0] = is_string_ ? 0.0 : SIMD_INFINITY;
  }
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0; }

 private:
  btVector3 at_a_, at_b_;  ///< in the principal frames [m]
  double length_;          ///< [m]
  bool is_string_;
};

}  // namespace

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
    std::optional<base::Pose> seen;           ///< when it was last looked at for movement
    double rest = 0.0, rest_seen = 0.0;       ///< impulse of its contacts at rest [N s]
    double rest_rate = 0.0;                   ///< of them in a step [N s]

    Vec3 velocity_at(const Vec3& point) const {
      return from_bullet(rigid->getVelocityInLocalPoint(to_bullet(point) -
                                                        rigid->getWorldTransform().getOrigin()));
    }
    /// What an impulse there adds to it [m/s].
    Vec3 velocity_by(const Vec3& impulse, const Vec3& point) const;
    double reach() const { return known->shape->reach(); }
  };
  /// A point that Bullet gives an impulse in this step.
  struct Contact {
    btManifoldPoint* point;
    std::uint32_t a, b;
    Vec3 at, normal, velocity;  ///< of a against b before
    double depth;               ///< [m]
    bool bounces;
    double fresh = 1.0;   ///< part of the impulse that was not there in the step before
    double struck = 0.0;  ///< speed of the blow that it is, if it is one [m/s]

    double approach() const { return -normal.dot(velocity); }
    Vec3 impulse() const;  ///< once it is solved for [N s]
    /// A blow says nothing of the next step.
    void forget() {
      point->m_appliedImpulse = point->m_appliedImpulseLateral1 = point->m_appliedImpulseLateral2 =
          0;
    }
  };
  /// The contacts of two bodies in the step before.
  struct HeldPair {
    std::int64_t step = -1;
    double push = 0.0;  ///< [N s]
    std::vector<Vec3> points, normals;
  };

  void add(RigidBodySettings settings, std::shared_ptr<const SmoothShape> shape);
  void add(const RigidJoint& joint);
  void place_scripted();
  void prepare_contacts();
  double restitution_of(const Contact& contact) const;
  double slowest_impact(const Contact& contact) const;
  void point_friction(const Contact& contact, btManifoldPoint& point) const;
  /// By how much of gravity a falls faster than b.
  double falls(const Contact& contact) const {
    return (bodies_[contact.a].is_free ? 1.0 : 0.0) - (bodies_[contact.b].is_free ? 1.0 : 0.0);
  }
  void tell_contacts();
  void pass_on();
  base::ContactRecord record_of(const Contact& contact) const;
  void tell_blow(Contact& contact);
  void tell_lasting(const Contact& contact);
  double rolling_speed(const Contact& contact) const;
  void resist(std::uint32_t body, double work);
  const HeldPair* held(const Contact& contact) const;
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
  double contact_speed_;  ///< slower approaches do not bounce [m/s]
  std::int64_t steps_ = 0, looked_at_ = 0;
  std::vector<Body> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<Contact> contacts_;
  std::unordered_map<std::uint64_t, HeldPair> held_;  ///< by pair_key()

  BulletTouches configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  /// Sorts the ends of boxes. (Bullet's tree makes them 5 cm larger, by another global.)
  bt32BitAxisSweep3 broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  TellingWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
};

Vec3 BulletWorld::Impl::Body::velocity_by(const Vec3& impulse, const Vec3& point) const {
  if (!is_free) return Vec3::Zero();
  const btVector3 arm = to_bullet(point) - rigid->getWorldTransform().getOrigin();
  const btVector3 turn = rigid->getInvInertiaTensorWorld() * arm.cross(to_bullet(impulse));
  return impulse * rigid->getInvMass() + from_bullet(turn.cross(arm));
}

Vec3 BulletWorld::Impl::Contact::impulse() const {
  return point->m_appliedImpulse * normal +
         from_bullet(point->m_appliedImpulseLateral1 * point->m_lateralFrictionDir1 +
                     point->m_appliedImpulseLateral2 * point->m_lateralFrictionDir2);
}

BulletWorld::Impl::Impl(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : settings_(settings),
      contact_speed_(slowest_bounce(settings)),
      broad_phase_(btVector3(-world_size, -world_size, -world_size),
                   btVector3(world_size, world_size, world_size),
                   static_cast<unsigned>(bodies.size()) + 1, nullptr, true) {
  const auto shapes = checked_shapes(bodies, settings);
  log.step = settings.step;
  world_.setGravity(to_bullet(settings.gravity));
  world_.found = [this] { prepare_contacts(); };
  world_.solved = [this] { tell_contacts(); };

  // These, and the threshold of each body in add(), make a bounce right at small steps: contacts
  // begin when bodies touch and not before, bounce at all speeds that restitution_of() lets bounce,
  // and give no speed for being deep.
  btContactSolverInfo& solver = world_.getSolverInfo();
  solver.m_restitutionVelocityThreshold = 0;
  solver.m_splitImpulse = 1;
  solver.m_splitImpulsePenetrationThreshold = std::numeric_limits<double>::max();
  solver.m_solverMode |=
      SOLVER_USE_2_FRICTION_DIRECTIONS | SOLVER_ENABLE_FRICTION_DIRECTION_CACHING;
  solver.m_linearSlop = resting_depth;
  solver.m_warmstartingFactor = 1;  // contacts go on as they were: a tower stands after few sweeps
  solver.m_numIterations = most_sweeps;
  solver.m_leastSquaresResidualThreshold = no_change * no_change;

  bodies_.reserve(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) add(std::move(bodies[i]), shapes[i]);
  for (const RigidJoint& joint : settings.joints) add(joint);
}

BulletWorld::Impl::~Impl() {
  for (const auto& joint : joints_) world_.removeConstraint(joint.get());
  for (const Body& body : bodies_) world_.removeRigidBody(body.rigid.get());
}

void BulletWorld::Impl::add(RigidBodySettings settings, std::shared_ptr<const SmoothShape> shape) {
  Body body;
  body.settings = std::move(settings);
  body.is_free = body.settings.motion == nullptr;
  body.is_moving = !body.is_free && !body.settings.motion->is_still();
  body.known = std::make_unique<BulletBody>();
  body.known->index = static_cast<std::uint32_t>(bodies_.size());
  body.known->shape = shape;
  base::Pose pose = body.is_free ? body.settings.pose : body.settings.motion->pose(0.0);
  btVector3 moments(0, 0, 0);
  if (body.is_free) {
    const MassFrame frame = base::mass_frame(body.settings.mass);
    body.known->frame = frame;
    moments = to_bullet(frame.moments);
    pose = {.position = pose.to_world(frame.centre), .orientation = pose.orientation * frame.axes};
    free.push_back(body.known->index);
  }
  body.shape = make_bullet_shape(body.settings.shape, std::move(shape), body.known->frame);
  btRigidBody::btRigidBodyConstructionInfo info(body.is_free ? body.settings.mass.mass : 0.0,
                                                nullptr, body.shape.get(), moments);
  info.m_startWorldTransform = to_bullet(pose);
  body.rigid = std::make_unique<btRigidBody>(info);
  body.rigid->setUserPointer(body.known.get());
  body.rigid->setContactProcessingThreshold(0);
  if (body.is_free) {
    // Half a step before the start.
    body.rigid->setLinearVelocity(
        to_bullet(body.settings.velocity - 0.5 * settings_.step * settings_.gravity));
    body.rigid->setAngularVelocity(to_bullet(body.settings.angular_velocity));
    // look_for_movement() says what sleeps.
    body.rigid->setSleepingThresholds(std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::infinity());
  } else if (body.is_moving) {
    body.rigid->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    body.rigid->setActivationState(DISABLE_DEACTIVATION);
  }
  world_.addRigidBody(body.rigid.get());
  log.bodies.push_back(body.settings.name);
  bodies_.push_back(std::move(body));
}

void BulletWorld::Impl::add(const RigidJoint& joint) {
  const auto end_in = [&](std::uint32_t i, const Vec3& at) {
    const MassFrame& frame = bodies_[i].known->frame;
    return to_bullet(Vec3(frame.axes.conjugate() * (at - frame.centre)));
  };
  btRigidBody& a = *bodies_[joint.body].rigid;
  btRigidBody& b = joint.other ? *bodies_[*joint.other].rigid : btTypedConstraint::getFixedBody();
  const btVector3 at_a = end_in(joint.body, joint.at);
  const btVector3 at_b = joint.other ? end_in(*joint.other, joint.to) : to_bullet(joint.to);
  if (joint.length > 0.0) {
    joints_.push_back(std::make_unique<Rod>(a, b, at_a, at_b, joint.length, joint.is_string));
  } else {
    joints_.push_back(std::make_unique<btPoint2PointConstraint>(a, b, at_a, at_b));
  }
  world_.addConstraint(joints_.back().get());
}

base::Pose BulletWorld::Impl::pose(std::size_t i) const {
  const Body& body = bodies_[i];
  if (!body.is_free) return body.settings.motion->pose(time());
  const base::Pose at = from_bullet(body.rigid->getWorldTransform());
  return base::body_pose(body.known->frame,
                         {.position = at.position, .orientation = at.orientation});
}

double BulletWorld::Impl::energy() const {
  double sum = 0.0;
  for (const std::uint32_t i : free) {
    const btRigidBody& body = *bodies_[i].rigid;
    const MassFrame& frame = bodies_[i].known->frame;
    const Vec3 v = from_bullet(body.getLinearVelocity());
    const Vec3 w =
        from_bullet(body.getWorldTransform().getBasis().transpose() * body.getAngularVelocity());
    const Vec3 middle =
        from_bullet(body.getWorldTransform().getOrigin()) - 0.5 * settings_.step * v;
    sum += frame.mass * (0.5 * v.squaredNorm() - settings_.gravity.dot(middle)) +
           0.5 * w.cwiseAbs2().dot(frame.moments);
  }
  return sum;
}

void BulletWorld::Impl::step() {
  const bool all_asleep = std::ranges::all_of(
      bodies_, [&](const Body& body) { return body.is_free ? is_asleep(body) : !body.is_moving; });
  if (!all_asleep) {
    const std::size_t first = log.records.size();
    place_scripted();
    world_.stepSimulation(settings_.step, 0);
    std::stable_sort(log.records.begin() + static_cast<std::ptrdiff_t>(first), log.records.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
  }
  ++steps_;
  look_for_movement();
  for (const Body& body : bodies_) {
    if (is_asleep(body)) rest_impulse += body.rest_rate;
  }
}

void BulletWorld::Impl::place_scripted() {
  for (Body& body : bodies_) {
    if (body.is_moving)
      body.rigid->setWorldTransform(to_bullet(body.settings.motion->pose(time())));
  }
}

/// Bodies sleep when all of an island hardly moved; Bullet sees to islands and to waking.
void BulletWorld::Impl::look_for_movement() {
  const auto since = static_cast<double>(steps_ - looked_at_);
  if (since * settings_.step < time_to_sleep) return;
  looked_at_ = steps_;
  for (const std::uint32_t i : free) {
    Body& body = bodies_[i];
    if (is_asleep(body)) continue;
    const base::Pose now = pose(i);
    const double spin = body.rigid->getAngularVelocity().length() * body.reach();
    const bool is_calm =
        body.seen && has_hardly_moved(*body.seen, now, body.rigid->getLinearVelocity().length(),
                                      spin, settings_);
    body.rigid->setDeactivationTime(is_calm ? 2.0 * gDeactivationTime : 0.0);
    body.seen = now;
    body.rest_rate = (body.rest - body.rest_seen) / since;
    body.rest_seen = body.rest;
  }
}

const BulletWorld::Impl::HeldPair* BulletWorld::Impl::held(const Contact& contact) const {
  const auto pair = held_.find(pair_key(contact.a, contact.b));
  return pair != held_.end() && pair->second.step == steps_ - 1 ? &pair->second : nullptr;
}

/// As RigidWorld::slowest_impact(): where a body rolls, its point of contact moves on to parts of
/// the surface that came down meanwhile, which do not bounce.
double BulletWorld::Impl::slowest_impact(const Contact& contact) const {
  const HeldPair* before = held(contact);
  if (before == nullptr) return contact_speed_;
  double way = farthest_roll * size_of(contact);
  bool is_same = false;
  for (const Vec3& point : before->points) {
    const double one = (point - contact.at).norm();
    if (one > way) continue;
    is_same = true;
    way = one;
  }
  return is_same ? contact_speed_ + way * turning(contact).norm() : contact_speed_;
}

/// What Bullet must be told so that the rebound is right. Bodies touched at the depth over the
/// speed before now, when gravity, that closes the gap by g, had done less: v = s + g (dt/2 -
/// since) with the speed s half a step ago. Half a step from now they should part with e v - g
/// (dt/2 + since). Bullet takes its restitution of s.
double BulletWorld::Impl::restitution_of(const Contact& contact) const {
  const Body &a = bodies_[contact.a], &b = bodies_[contact.b];
  const double e = 0.5 * (a.settings.restitution + b.settings.restitution);
  const double g = -falls(contact) * contact.normal.dot(settings_.gravity), dt = settings_.step;
  const double since = std::min(contact.depth / contact.approach(), dt);
  const double met = contact.approach() + g * (0.5 * dt - since);
  return std::max(0.0, (e * met - g * (0.5 * dt + since)) / contact.approach());
}

void BulletWorld::Impl::prepare_contacts() {
  for (Body& body : bodies_) {
    if (!body.is_moving) continue;
    const ScriptedVelocity moved = scripted_velocity(*body.settings.motion, time(), settings_.step);
    body.rigid->setLinearVelocity(to_bullet(moved.velocity));
    body.rigid->setAngularVelocity(to_bullet(moved.angular_velocity));
  }
  contacts_.clear();
  for (int m = 0; m < dispatcher_.getNumManifolds(); ++m) {
    btPersistentManifold& manifold = *dispatcher_.getManifoldByIndexInternal(m);
    const auto index = [](const btCollisionObject* object) {
      return static_cast<const BulletBody*>(object->getUserPointer())->index;
    };
    const std::uint32_t a = index(manifold.getBody0()), b = index(manifold.getBody1());
    const Body &body_a = bodies_[a], &body_b = bodies_[b];
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
      btManifoldPoint& point = manifold.getContactPoint(i);
      if (point.getDistance() > manifold.getContactProcessingThreshold()) continue;
      Contact contact{.point = &point, .a = a, .b = b};
      contact.at = 0.5 * from_bullet(point.getPositionWorldOnA() + point.getPositionWorldOnB());
      contact.normal = from_bullet(point.m_normalWorldOnB);
      contact.velocity = body_a.velocity_at(contact.at) - body_b.velocity_at(contact.at);
      contact.depth = -point.getDistance();
      contact.bounces = contact.approach() > slowest_impact(contact);
      point.m_combinedFriction = 0.5 * (body_a.settings.friction + body_b.settings.friction);
      point.m_combinedRestitution = contact.bounces ? restitution_of(contact) : 0.0;
      // What bounced has left again by as much as it is deep, less the restitution.
      point.m_contactERP = contact.bounces ? 1.0 + point.m_combinedRestitution : recovery;
      point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_ERP;
      point_friction(contact, point);
      contacts_.push_back(contact);
    }
  }
}

/// Bullet limits friction along two lines each by itself. If the first is where the bodies would
/// slip to without friction, that is nearly Coulomb's law; left to itself it takes the slip before,
/// which is rounding where there is none.
void BulletWorld::Impl::point_friction(const Contact& contact, btManifoldPoint& point) const {
  const Vec3& normal = contact.normal;
  Vec3 slips = contact.velocity + settings_.step * falls(contact) * settings_.gravity;
  if (contact.bounces) {  // the rebound turns the bodies, too
    const Vec3 pushed = bodies_[contact.a].velocity_by(normal, contact.at) +
                        bodies_[contact.b].velocity_by(normal, contact.at);  // by 1 N s
    slips += (1.0 + point.m_combinedRestitution) * contact.approach() / normal.dot(pushed) * pushed;
  }
  const Vec3 across = slips - normal * normal.dot(slips);
  const btVector3 before = point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                           point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2;
  if (across.norm() > slowest_slip) {
    point.m_lateralFrictionDir1 = to_bullet(across.normalized());
    point.m_lateralFrictionDir2 = point.m_normalWorldOnB.cross(point.m_lateralFrictionDir1);
  } else {
    btPlaneSpace1(point.m_normalWorldOnB, point.m_lateralFrictionDir1, point.m_lateralFrictionDir2);
  }
  point.m_appliedImpulseLateral1 = before.dot(point.m_lateralFrictionDir1);
  point.m_appliedImpulseLateral2 = before.dot(point.m_lateralFrictionDir2);
  point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
}

void BulletWorld::Impl::tell_contacts() {
  // Those that slept were not solved for.
  std::erase_if(contacts_, [&](const Contact& contact) {
    const Body &a = bodies_[contact.a], &b = bodies_[contact.b];
    const bool is_awake = (a.is_free && !is_asleep(a)) || (b.is_free && !is_asleep(b));
    return !is_awake || !(contact.point->m_appliedImpulse > 0.0);
  });
  std::unordered_map<std::uint64_t, HeldPair> now;
  for (const Contact& contact : contacts_) {
    HeldPair& pair = now[pair_key(contact.a, contact.b)];
    pair.step = steps_;
    pair.push += contact.point->m_appliedImpulse;
    pair.points.push_back(contact.at);
    pair.normals.push_back(contact.normal);
  }
  for (Contact& contact : contacts_) {
    contact.fresh = 1.0;
    if (const HeldPair* before = held(contact)) {
      const double push = now[pair_key(contact.a, contact.b)].push;
      contact.fresh = std::max(0.0, 1.0 - before->push / push);
    }
  }
  pass_on();
  for (Contact& contact : contacts_) {
    if (contact.struck > 0.0) {
      tell_blow(contact);
    } else {
      tell_lasting(contact);
    }
  }
  held_ = std::move(now);
}

/// What lies still and passes on a blow is struck as fast as it would have moved, had it not held:
/// by the part of the impulse that was not there in the step before, and no faster than the blow.
void BulletWorld::Impl::pass_on() {
  std::vector<double> blow(bodies_.size(),
                           0.0);  // the fastest that a free body takes part in [m/s]
  const auto spread = [&](const Contact& contact) {
    bool is_new = false;
    for (const std::uint32_t i : {contact.a, contact.b}) {
      if (!bodies_[i].is_free || blow[i] >= contact.struck) continue;
      blow[i] = contact.struck;
      is_new = true;
    }
    return is_new;
  };
  bool goes_on = false;
  for (Contact& contact : contacts_) {
    contact.struck = contact.bounces ? contact.approach() : 0.0;
    goes_on = spread(contact) || goes_on;
  }
  for (int pass = 0; goes_on && pass < most_passed; ++pass) {
    goes_on = false;
    for (Contact& contact : contacts_) {
      const double fastest = std::max(blow[contact.a], blow[contact.b]);
      if (contact.bounces || fastest <= contact.struck) continue;
      const Vec3 impulse = contact.fresh * contact.impulse();
      const Vec3 change = bodies_[contact.a].velocity_by(impulse, contact.at) +
                          bodies_[contact.b].velocity_by(impulse, contact.at);
      const double struck = std::min(contact.normal.dot(change), fastest);
      if (struck <= std::max(slowest_passed_on, contact.struck)) continue;
      contact.struck = struck;
      goes_on = spread(contact) || goes_on;
    }
  }
}

base::ContactRecord BulletWorld::Impl::record_of(const Contact& contact) const {
  return {.time = time(),
          .body_a = contact.a,
          .body_b = contact.b,
          .point = contact.at,
          .normal = contact.normal,
          .impulse = contact.impulse(),
          .velocity = contact.velocity};
}

void BulletWorld::Impl::tell_blow(Contact& contact) {
  base::ContactRecord record = record_of(contact);
  if (contact.bounces) {
    // When they touched: not before the last step, as times ascend.
    const double last = static_cast<double>(std::max<std::int64_t>(steps_ - 1, 0)) * settings_.step;
    record.time = std::max(last, time() - contact.depth / contact.approach());
  }
  record.velocity -= contact.normal * (contact.struck - contact.approach());
  log.records.push_back(record);
  contact.forget();
}

void BulletWorld::Impl::tell_lasting(const Contact& contact) {
  Body &a = bodies_[contact.a], &b = bodies_[contact.b];
  base::ContactRecord record = record_of(contact);
  record.duration = settings_.step;
  record.rolling = rolling_speed(contact);
  const double coefficient = std::max(a.settings.rolling_resistance, b.settings.rolling_resistance);
  const double work = coefficient * contact.point->m_appliedImpulse * record.rolling;
  resist(contact.a, work);
  resist(contact.b, work);
  const double approach = contact.approach();
  const double slip = (contact.velocity + approach * contact.normal).norm();
  if (std::max({slip, record.rolling, approach}) > slowest_slide) {
    log.records.push_back(record);
  } else {
    rest_impulse += record.impulse.norm();
    (a.is_free ? a : b).rest += record.impulse.norm();
  }
}

/// How fast the point of contact moves over the surface of a [m/s].
double BulletWorld::Impl::rolling_speed(const Contact& contact) const {
  const HeldPair* before = held(contact);
  const double size = size_of(contact);
  if (before == nullptr || turning(contact).norm() * size < slowest_turn) return 0.0;
  const Vec3* last = nullptr;
  double least = 0.05 * size;
  for (std::size_t k = 0; k < before->points.size(); ++k) {
    const double apart = (before->points[k] - contact.at).norm();
    if (apart > least || before->normals[k].dot(contact.normal) < 0.9) continue;
    last = &before->points[k];
    least = apart;
  }
  if (last == nullptr) return 0.0;
  const Vec3 over =
      (contact.at - *last) / settings_.step - bodies_[contact.a].velocity_at(contact.at);
  return (over - contact.normal * contact.normal.dot(over)).norm();
}

void BulletWorld::Impl::resist(std::uint32_t i, double work) {
  const Body& body = bodies_[i];
  if (!body.is_free || !(work > 0.0)) return;
  const MassFrame& frame = body.known->frame;
  RigidState state{.orientation = from_bullet(body.rigid->getWorldTransform()).orientation};
  const Vec3 own = state.orientation.conjugate() * from_bullet(body.rigid->getAngularVelocity());
  state.angular_momentum = state.orientation * own.cwiseProduct(frame.moments);
  resist_rolling(frame, work, state);
  body.rigid->setAngularVelocity(to_bullet(base::angular_velocity(frame, state)));
}

BulletWorld::BulletWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : impl_(std::make_unique<Impl>(std::move(bodies), settings)) {}
BulletWorld::~BulletWorld() = default;

void BulletWorld::step(const Moved& moved) {
  impl_->step();
  moved(impl_->free);
}
double BulletWorld::time() const {
  return impl_->time();
}
base::Pose BulletWorld::pose(std::size_t body) const {
  return impl_->pose(body);
}
Vec3 BulletWorld::velocity(std::size_t body) const {
  return from_bullet(impl_->rigid(body).getLinearVelocity());
}
Vec3 BulletWorld::angular_velocity(std::size_t body) const {
  return from_bullet(impl_->rigid(body).getAngularVelocity());
}
double BulletWorld::energy() const {
  return impl_->energy();
}
const base::ContactLog& BulletWorld::log() const {
  return impl_->log;
}
double BulletWorld::rest_impulse() const {
  return impl_->rest_impulse;
}

}  // namespace peal::dynamics

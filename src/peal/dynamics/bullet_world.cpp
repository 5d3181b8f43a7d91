#include <peal/dynamics/bullet_impl.h>
#include <peal/dynamics/bullet_rod.h>
#include <peal/dynamics/bullet_world.h>

#include <algorithm>
#include <limits>

namespace peal::dynamics {

namespace {

/// Sweeps over all contacts, and the change of velocity [m/s] at which they end before.
constexpr int bullet_sweeps = 20;
constexpr double swept_enough = 1e-6;
/// Size of the world; bodies farther away collide in a coarser grid [m].
constexpr double world_size = 1e4;
///< part of an overlap that goes in a step
/// Depth of resting contacts: with none, rounding errors would end and restart them [m].
constexpr double resting_depth = 1e-8;
/// Margin of the boxes around bodies over their size, so that pairs do not come and go.
constexpr double box_margin = 0.01;

}  // namespace

/// Bullet's adds 2 cm all around, by a global: more than a die, which then has forty neighbours.
void ObservedWorld::updateAabbs() {
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

BulletWorld::Impl::Impl(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : settings_(settings),
      rests_(settings.step, log.rests),
      contact_speed_(slowest_bounce(settings)),
      broad_phase_(btVector3(-world_size, -world_size, -world_size),
                   btVector3(world_size, world_size, world_size),
                   static_cast<unsigned>(bodies.size()) + 1, nullptr, true) {
  const auto shapes = checked_shapes(bodies, settings);
  log.step = settings.step;
  world_.setGravity(to_bullet(settings.gravity));
  world_.found = [this] { prepare_contacts(); };
  world_.solved = [this] { report_contacts(); };

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
  solver.m_numIterations = bullet_sweeps;
  solver.m_leastSquaresResidualThreshold = swept_enough * swept_enough;

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
    // look_for_movement() says what may sleep; what is struck meanwhile may not.
    body.rigid->setSleepingThresholds(contact_speed_, contact_speed_ / body.reach());
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
    joints_.push_back(std::make_unique<BulletRod>(a, b, at_a, at_b, joint.length, joint.is_string));
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
  rests_.end_step(time(), [this](std::uint32_t i) { return is_asleep(bodies_[i]); });
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

/// Lets bodies sleep when all of an island have hardly moved; Bullet handles islands and waking.
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

#include <peal/dynamics/bullet_impl.h>
#include <peal/dynamics/contact_point.h>

#include <algorithm>
#include <cmath>

// Contacts of Bullet: what is set before it solves for their impulses, and what is recorded after.

namespace peal::dynamics {

namespace {

constexpr int most_passes = 32;         ///< times that an impact propagates in a step
constexpr double recovery = 0.2;        ///< fraction of an overlap that is removed in a step
constexpr double slowest_slip = 1e-12;  ///< least slip that has a direction [m/s]

}  // namespace

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

const BulletWorld::Impl::JointPoint* BulletWorld::Impl::JointPair::nearest(const Contact& contact,
                                                                           double within) const {
  const JointPoint* best = nullptr;
  for (const JointPoint& one : points) {
    const double apart = (one.at - contact.at).norm();
    if (apart > within || one.normal.dot(contact.normal) < 0.9) continue;
    best = &one;
    within = apart;
  }
  return best;
}

const BulletWorld::Impl::JointPair* BulletWorld::Impl::held(const Contact& contact) const {
  const auto pair = held_.find(pair_key(contact.a, contact.b));
  return pair != held_.end() && pair->second.step == steps_ - 1 ? &pair->second : nullptr;
}

/// Threshold as in ImpactThreshold::at(): where a body rolls, its contact point moves on to parts
/// of the surface that came down meanwhile, which do not bounce.
double BulletWorld::Impl::slowest_impact(const Contact& contact) const {
  const JointPair* before = held(contact);
  if (before == nullptr) return contact_speed_;
  const JointPoint* last = before->nearest(contact, farthest_roll * size_of(contact));
  if (last == nullptr) return contact_speed_;
  return contact_speed_ + (last->at - contact.at).norm() * turning(contact).norm();
}

/// The restitution with which Bullet's rebound is right. Bodies touched before now by a time of
/// depth over speed (`since`), when gravity, which closes the gap with g, had acted for less time:
/// v = s + g (dt/2 - since) with the speed s half a step ago. Half a step from now they should
/// separate with e v - g (dt/2 + since). Bullet applies its restitution to s.
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
      // A body that bounced has moved out again by its depth times the restitution.
      point.m_contactERP = contact.bounces ? 1.0 + point.m_combinedRestitution : recovery;
      point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_ERP;
      point_friction(contact, point);
      contacts_.push_back(contact);
    }
  }
}

/// Sets the directions of friction. Bullet limits friction along two lines separately. If the first
/// is the direction of slip without friction, that is nearly Coulomb's law; by default Bullet takes
/// the slip before, which is only rounding where there is none.
void BulletWorld::Impl::point_friction(const Contact& contact, btManifoldPoint& point) const {
  const Vec3& normal = contact.normal;
  Vec3 slips = contact.velocity + settings_.step * falls(contact) * settings_.gravity;
  if (contact.bounces) {  // the rebound turns the bodies, too
    const Vec3 pushed = bodies_[contact.a].velocity_by(normal, contact.at) +
                        bodies_[contact.b].velocity_by(normal, contact.at);  // by 1 N s
    slips += (1.0 + point.m_combinedRestitution) * contact.approach() / normal.dot(pushed) * pushed;
  }
  const Vec3 across = slips - normal * normal.dot(slips);
  if (across.norm() > slowest_slip) {
    point.m_lateralFrictionDir1 = to_bullet(across.normalized());
    point.m_lateralFrictionDir2 = point.m_normalWorldOnB.cross(point.m_lateralFrictionDir1);
  } else {
    btPlaneSpace1(point.m_normalWorldOnB, point.m_lateralFrictionDir1, point.m_lateralFrictionDir2);
  }
  point.m_contactPointFlags |= BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED;
}

void BulletWorld::Impl::report_contacts() {
  // Contacts of sleeping bodies were not solved.
  std::erase_if(contacts_, [&](const Contact& contact) {
    const Body &a = bodies_[contact.a], &b = bodies_[contact.b];
    const bool is_awake = (a.is_free && !is_asleep(a)) || (b.is_free && !is_asleep(b));
    return !is_awake || !(contact.point->m_appliedImpulse > 0.0);
  });
  std::unordered_map<std::uint64_t, JointPair> now;
  for (const Contact& contact : contacts_) {
    JointPair& pair = now[pair_key(contact.a, contact.b)];
    pair.step = steps_;
    pair.push += contact.point->m_appliedImpulse;
    pair.points.push_back({contact.at, contact.normal});
  }
  for (Contact& contact : contacts_) {
    contact.fresh = 1.0;
    if (const JointPair* before = held(contact)) {
      const double push = now[pair_key(contact.a, contact.b)].push;
      contact.fresh = std::max(0.0, 1.0 - before->push / push);
    }
  }
  pass_on();
  for (Contact& contact : contacts_) {
    if (contact.struck > 0.0) {
      report_impact(contact);
    } else {
      report_sustained(contact);
    }
  }
  held_ = std::move(now);
}

/// Propagates impacts through bodies at rest. The impact speed of a resting contact is that with
/// which it would have moved without the contact: by the part of the impulse that is new in this
/// step, at most the speed of the impact.
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
  for (int pass = 0; goes_on && pass < most_passes; ++pass) {
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

void BulletWorld::Impl::report_impact(Contact& contact) {
  base::ContactRecord record = record_of(contact);
  if (contact.bounces) {
    // The time of contact is not before the last step, because times ascend.
    const double last = static_cast<double>(std::max<std::int64_t>(steps_ - 1, 0)) * settings_.step;
    record.time = std::max(last, time() - contact.depth / contact.approach());
  }
  record.velocity -= contact.normal * (contact.struck - contact.approach());
  log.records.push_back(record);
  contact.forget();
}

void BulletWorld::Impl::report_sustained(const Contact& contact) {
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
    rests_.add(
        time(), settings_.step,
        {.body_a = contact.a, .body_b = contact.b, .point = record.point, .normal = record.normal},
        record.impulse.dot(record.normal));
  }
}

/// Speed of the contact point over the surface of a [m/s].
double BulletWorld::Impl::rolling_speed(const Contact& contact) const {
  const JointPair* before = held(contact);
  const double size = size_of(contact);
  if (before == nullptr || turning(contact).norm() * size < slowest_turn) return 0.0;
  const JointPoint* last = before->nearest(contact, 0.05 * size);
  if (last == nullptr) return 0.0;
  const Vec3 over =
      (contact.at - last->at) / settings_.step - bodies_[contact.a].velocity_at(contact.at);
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

}  // namespace peal::dynamics

#include <peal/dynamics/rigid_world.h>

#include <algorithm>
#include <array>
#include <cmath>

// Contacts that last: what keeps bodies apart, and joints together, through a step.

namespace peal::dynamics {

namespace {

/// Overlaps are pushed out by half in a step, with a speed up to this [m/s]; deeper ones are moved
/// apart, which gives them no speed.
constexpr double fastest_recovery = 5e-4;
constexpr double deep = 2e-7;  ///< [m]

}  // namespace

/// Rolling on one point: the velocity is that of the contact in the middle of the step, so that the
/// point of contact moves on as the body turns. The impulse keeps the arm of the start.
void RigidWorld::take_to_middle(const Touch& touch, double dt, ContactRow& row, double& gap) const {
  std::array<Body const*, 2> pair = {&bodies_[touch.body_a], &bodies_[touch.body_b]};
  std::array<RigidState, 2> states;
  std::array<base::Pose, 2> poses;
  for (int k = 0; k < 2; ++k) {
    const Body& body = *pair[k];
    if (!body.is_free) {
      poses[k] = body.settings.motion->pose(time() + 0.5 * dt);
      continue;
    }
    states[k] = body.state;
    fly(body.frame, settings_.gravity, 0.5 * dt, states[k]);
    poses[k] = body_pose(body.frame, states[k]);
  }
  std::vector<Touch> touches;
  const double reach = std::min(pair[0]->shape->reach(), pair[1]->shape->reach());
  find_touches(place(*pair[0]->shape, poses[0]), place(*pair[1]->shape, poses[1]), touch.body_a,
               touch.body_b, std::max(2.0 * std::abs(touch.gap), 0.1 * reach), touches);
  // The same feature, or what is nearest now.
  auto same =
      std::ranges::find_if(touches, [&](const Touch& other) { return other.key == touch.key; });
  if (same == touches.end()) {
    same = std::ranges::min_element(
        touches, {}, [&](const Touch& other) { return (other.point - touch.point).squaredNorm(); });
  }
  if (same == touches.end()) return;
  const double size = std::min(pair[0]->shape->reach(), pair[1]->shape->reach());
  if ((same->point - touch.point).norm() > 0.25 * size) return;

  row.normal = same->normal;
  if (pair[0]->is_free) {
    row.arm_a = same->on_a() - states[0].position;
    row.inverse_inertia_a = inverse_inertia(pair[0]->frame, states[0]);
  } else {
    row.arm_a = same->on_a() - poses[0].position;
  }
  if (pair[1]->is_free) {
    row.arm_b = same->on_b() - states[1].position;
    row.inverse_inertia_b = inverse_inertia(pair[1]->frame, states[1]);
  } else {
    row.arm_b = same->on_b() - poses[1].position;
  }
  const double way = 0.5 * dt * row.normal.dot(row.velocity(momenta())) +
                     0.125 * dt * dt * row.normal.dot(gravity_between(touch));
  gap = same->gap - way;
}

const RigidWorld::Held* RigidWorld::held_at(const Touch& touch) const {
  const auto pair = held_.find(pair_key(touch.body_a, touch.body_b));
  if (pair == held_.end()) return nullptr;
  const Held* nearest = nullptr;
  double least =
      0.05 * std::min(bodies_[touch.body_a].shape->reach(), bodies_[touch.body_b].shape->reach());
  for (const Held& one : pair->second) {
    if (std::abs(one.until - time()) > 1e-9) continue;  // of another time
    if (one.key == touch.key) return &one;
    const double apart = (one.point - touch.point).norm();
    if (apart < least && one.normal.dot(touch.normal) > 0.9) {
      nearest = &one;
      least = apart;
    }
  }
  return nearest;
}

/// Joints as rows that pull. Over a time `dt` [s] they are taken to the middle of the step as
/// rolling contacts are; if it is zero, they only stop what pulls them apart now.
void RigidWorld::add_joints(const Island& island, double dt, std::vector<ContactRow>& rows) const {
  const auto world = static_cast<std::uint32_t>(bodies_.size());
  struct End {
    Vec3 now, then;             ///< where it is at the start and in the middle [m]
    Vec3 push, arm;             ///< from the centre of mass [m]
    Mat3 turning;               ///< in the middle [1/(kg m^2)]
    Vec3 falls = Vec3::Zero();  ///< [m/s^2]
  };
  const auto end_of = [&](const Body& body, const Vec3& local) {
    End end{.now = body.pose.to_world(local), .turning = body.turning};
    if (body.is_free) {
      RigidState state = body.state;
      if (dt > 0.0) {
        fly(body.frame, settings_.gravity, 0.5 * dt, state);
        end.turning = inverse_inertia(body.frame, state);
      }
      end.then = body_pose(body.frame, state).to_world(local);
      end.push = end.now - body.state.position;
      end.arm = end.then - state.position;
      end.falls = settings_.gravity;
    } else {
      const base::Pose pose =
          body.is_moving && dt > 0.0 ? body.settings.motion->pose(time() + 0.5 * dt) : body.pose;
      end.then = pose.to_world(local);
      end.push = end.arm = end.then - pose.position;
    }
    return end;
  };
  for (const std::uint32_t k : island.joints) {
    const RigidJoint& joint = settings_.joints[k];
    const End a = end_of(bodies_[joint.body], joint.at);
    const End b = joint.other ? end_of(bodies_[*joint.other], joint.to)
                              : End{.now = joint.to,
                                    .then = joint.to,
                                    .push = Vec3::Zero(),
                                    .arm = Vec3::Zero(),
                                    .turning = Mat3::Zero()};
    const Vec3 between = a.then - b.then;
    ContactRow row{.body_a = joint.body, .body_b = joint.other.value_or(world)};
    row.arm_a = a.arm;
    row.push_a = a.push;
    row.inverse_inertia_a = a.turning;
    row.arm_b = b.arm;
    row.push_b = b.push;
    row.inverse_inertia_b = b.turning;
    row.drift = 0.5 * dt * (a.falls - b.falls);
    row.pulls = !joint.is_string;
    const std::vector<BodyMomentum> now = momenta();
    const auto add = [&](const Vec3& normal, const Vec3& force, double gap) {
      row.normal = normal;
      row.force = force;
      const double way = 0.5 * dt * normal.dot(row.velocity(now) - row.drift) +
                         0.5 * (0.5 * dt) * normal.dot(row.drift);
      row.target = dt > 0.0 ? -(gap - way) / dt : 0.0;
      if (joint.is_string && dt == 0.0 && gap > together) return;  // it hangs loose
      rows.push_back(row);
    };
    if (joint.length > 0.0) {
      // It pulls along where it is at the start, and keeps its length at the end: twice the middle
      // is the sum of both, so that the way across the middle changes no length (SHAKE).
      const double length = between.norm();
      const Vec3 along = between / length, now_along = (a.now - b.now).normalized();
      const double sign = joint.is_string ? -1.0 : 1.0;
      add(sign * along, sign * now_along, sign * (length - joint.length));
    } else {
      for (int axis = 0; axis < 3; ++axis) add(Vec3::Unit(axis), Vec3::Unit(axis), between[axis]);
    }
  }
}

/// Whether two bodies turn against each other. The lowest point of a rim that lies flat is
/// anywhere: that it moves does not mean that the rim rolls.
bool RigidWorld::is_turning(const Touch& touch) const {
  const double size =
      std::min(bodies_[touch.body_a].shape->reach(), bodies_[touch.body_b].shape->reach());
  return (angular_velocity(touch.body_a) - angular_velocity(touch.body_b)).norm() * size >
         slowest_turn;
}

void RigidWorld::push_apart(const Island& island, const std::vector<Touch>& touches, double dt,
                            const Pushing& pushing) {
  std::vector<BodyMomentum> now = momenta();
  std::vector<ContactRow> rows;
  std::vector<const Touch*> sources;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i];
    ContactRow row = row_of(touch);
    const double speed = -touch.normal.dot(row.velocity(now));
    if (!pushing.all && speed > contact_speed_ && speed > slowest_impact(touch))
      continue;  // to its impact
    if (touch.gap > dt * (std::max(speed, 0.0) + unforeseen)) continue;
    // Touches of a pair follow each other.
    const auto same_pair = [&](const Touch& other) {
      return other.body_a == touch.body_a && other.body_b == touch.body_b;
    };
    const bool alone = !(i > 0 && same_pair(touches[i - 1])) &&
                       !(i + 1 < touches.size() && same_pair(touches[i + 1]));
    double gap = touch.gap;
    if (alone && pushing.rolls) take_to_middle(touch, dt, row, gap);
    row.drift = 0.5 * dt * gravity_between(touch);
    row.target = gap >= 0.0 ? -gap / dt : std::min(-0.5 * gap / dt, fastest_recovery);
    // Most contacts go on as they were.
    if (const Held* last = held_at(touch)) {
      const Vec3 likely = dt / last->duration * last->impulse;
      if (likely.dot(row.normal) > 0.0) row.impulse = likely;
    }
    rows.push_back(row);
    sources.push_back(&touch);
  }
  const std::size_t contacts = rows.size();
  add_joints(island, dt, rows);
  const std::vector<BodyMomentum> before = now;
  for (const ContactRow& row : rows) apply_impulse(row, row.impulse, now);
  solve_rows(rows, now);
  // Impulses of before may have been too much, and the sweeps too few to take them back. From none,
  // each row only takes energy.
  if (rows.size() > 1 && energy_under_way(island, now, dt) > energy_under_way(island, before, dt)) {
    now = before;
    for (ContactRow& row : rows) row.impulse.setZero();
    solve_rows(rows, now);
  }
  take(island, now);
  if (std::ranges::any_of(touches, [](const Touch& touch) { return touch.gap < -deep; }))
    move_apart(island, touches, dt);

  std::vector<Held> holds;
  for (std::size_t i = 0; i < contacts; ++i) {
    const ContactRow& row = rows[i];
    const double push = row.impulse.dot(row.normal);
    if (push <= 0.0) continue;
    const Touch& touch = *sources[i];
    holds.push_back({touch.key, touch.point, touch.normal, row.impulse, dt, time() + dt});
    const Vec3 slip = row.velocity(now);
    const double approach = -row.normal.dot(row.velocity(before) - row.drift);
    const Vec3 velocity = slip - row.normal * (row.normal.dot(slip) + approach);
    // How fast the point of contact moves over the surface of a.
    double rolling = 0.0;
    if (const Held* last = held_at(touch); last != nullptr && is_turning(touch)) {
      const Body& a = bodies_[touch.body_a];
      const Vec3 carried = now[touch.body_a].velocity +
                           angular_velocity(touch.body_a).cross(row.push_a) +
                           (a.is_free ? Vec3(0.5 * dt * settings_.gravity) : Vec3(Vec3::Zero()));
      const Vec3 over = (touch.point - last->point) / last->duration - carried;
      rolling = (over - row.normal * row.normal.dot(over)).norm();
      resist_rolling(touch, push, rolling);
    }
    const double across = (velocity + approach * row.normal).norm();
    if (across > slowest_slide || rolling > slowest_slide || approach > slowest_slide) {
      record(time(), touch, row.impulse, velocity, dt, rolling);
    } else {
      rest_on(touch, row.impulse.norm());
    }
  }
  for (const Pair& pair : island.pairs) {
    if (const auto old = held_.find(pair_key(pair.a, pair.b)); old != held_.end())
      old->second.clear();
  }
  for (const Held& one : holds) held_[one.key & ~std::uint64_t{0xffffffff}].push_back(one);
}

/// Of motion in the middle of a step [J].
double RigidWorld::energy_under_way(const Island& island, std::vector<BodyMomentum> momenta,
                                    double dt) const {
  for (const std::uint32_t i : island.bodies) {
    momenta[i].velocity += 0.5 * dt * settings_.gravity;
  }
  return kinetic(island.bodies, momenta);
}

/// Takes bodies out of each other by half, as velocities of their own would that end with the step.
void RigidWorld::move_apart(const Island& island, const std::vector<Touch>& touches, double dt) {
  std::vector<BodyMomentum> shifts = momenta();
  for (BodyMomentum& shift : shifts) shift = {.inverse_mass = shift.inverse_mass};
  std::vector<ContactRow> rows;
  for (const Touch& touch : touches) {
    ContactRow row = row_of(touch);
    row.friction = 0.0;
    row.target = touch.gap < 0.0 ? -0.5 * touch.gap / dt : -touch.gap / dt;
    rows.push_back(row);
  }
  const std::size_t contacts = rows.size();
  add_joints(island, 0.0, rows);
  for (std::size_t i = contacts; i < rows.size(); ++i) rows[i].target = 0.0;
  solve_rows(rows, shifts);
  for (const std::uint32_t i : island.bodies) {
    shifts[i].velocity *= dt;
    shifts[i].angular_momentum *= dt;
  }
  shift(island, shifts);
}

void RigidWorld::shift(const Island& island, std::span<const BodyMomentum> way) {
  for (const std::uint32_t i : island.bodies) {
    Body& body = bodies_[i];
    body.state.position += way[i].velocity;
    const Vec3 turn = body.turning * way[i].angular_momentum;
    const double angle = turn.norm();
    if (angle > 0.0) {
      body.state.orientation =
          (Quat(Eigen::AngleAxisd(angle, turn / angle)) * body.state.orientation).normalized();
    }
  }
}

void RigidWorld::rest_on(const Touch& touch, double impulse) {
  rest_impulse_ += impulse;
  Body& a = bodies_[touch.body_a];
  (a.is_free ? a : bodies_[touch.body_b]).rest += impulse;
}

/// Takes c_r N u per second from the turning of free bodies: a moment c_r N u / |w| against it,
/// with the speed u of the point of contact; on a wheel of radius R that is c_r N R.
void RigidWorld::resist_rolling(const Touch& touch, double push, double speed) {
  const double coefficient = std::max(bodies_[touch.body_a].settings.rolling_resistance,
                                      bodies_[touch.body_b].settings.rolling_resistance);
  if (!(coefficient > 0.0)) return;
  for (const std::uint32_t i : {touch.body_a, touch.body_b}) {
    Body& body = bodies_[i];
    if (body.is_free) dynamics::resist_rolling(body.frame, coefficient * push * speed, body.state);
  }
}

}  // namespace peal::dynamics

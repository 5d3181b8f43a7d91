#include <peal/dynamics/resting_contact_solver.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <optional>

namespace peal::dynamics {

namespace {

/// Overlaps are pushed out by half in a step, with a speed up to this [m/s]; deeper ones are moved
/// apart, which gives them no speed.
constexpr double fastest_recovery = 5e-4;
constexpr double deep = 2e-7;  ///< [m]

}  // namespace

const CachedContact* RestingContactSolver::cached(const Touch& touch) const {
  return cache_.find(touch, clock_.now(), bodies_.smaller_reach(touch));
}

/// Rolling on one point: the velocity is that of the contact in the middle of the step, so that the
/// point of contact moves on as the body turns. The impulse keeps the arm of the start.
void RestingContactSolver::take_to_middle(const Touch& touch, double dt, ContactRow& row,
                                          double& gap) const {
  const std::array<const RigidBody*, 2> pair = {&bodies_.a(touch), &bodies_.b(touch)};
  std::array<RigidState, 2> states;
  std::array<base::Pose, 2> poses;
  for (std::size_t k = 0; k < 2; ++k) {
    const RigidBody& body = *pair[k];
    if (!body.is_free) {
      poses[k] = body.settings.motion->pose(clock_.now() + 0.5 * dt);
      continue;
    }
    states[k] = body.state;
    base::fly(body.frame, bodies_.gravity(), 0.5 * dt, states[k]);
    poses[k] = body_pose(body.frame, states[k]);
  }
  std::vector<Touch> touches;
  const double size = bodies_.smaller_reach(touch);
  find_touches(place(*pair[0]->shape, poses[0]), place(*pair[1]->shape, poses[1]), touch.body_a,
               touch.body_b, std::max(2.0 * std::abs(touch.gap), 0.1 * size), touches);
  // The same feature, or what is nearest now.
  auto same =
      std::ranges::find_if(touches, [&](const Touch& other) { return other.key == touch.key; });
  if (same == touches.end()) {
    same = std::ranges::min_element(
        touches, {}, [&](const Touch& other) { return (other.point - touch.point).squaredNorm(); });
  }
  if (same == touches.end()) return;
  if ((same->point - touch.point).norm() > 0.25 * size) return;

  row.normal = same->normal;
  if (pair[0]->is_free) {
    row.arm_a = same->on_a() - states[0].position;
    row.inverse_inertia_a = base::inverse_inertia(pair[0]->frame, states[0]);
  } else {
    row.arm_a = same->on_a() - poses[0].position;
  }
  if (pair[1]->is_free) {
    row.arm_b = same->on_b() - states[1].position;
    row.inverse_inertia_b = base::inverse_inertia(pair[1]->frame, states[1]);
  } else {
    row.arm_b = same->on_b() - poses[1].position;
  }
  const double way = 0.5 * dt * row.normal.dot(row.velocity(bodies_.momenta())) +
                     0.125 * dt * dt * row.normal.dot(bodies_.gravity_between(touch));
  gap = same->gap - way;
}

RestingContactSolver::Rows RestingContactSolver::rows_of(const Island& island,
                                                         const std::vector<Touch>& touches,
                                                         std::span<const BodyMomentum> now,
                                                         double dt, const Options& options) const {
  Rows result;
  for (std::size_t i = 0; i < touches.size(); ++i) {
    const Touch& touch = touches[i];
    ContactRow row = bodies_.row_of(touch);
    const double speed = -touch.normal.dot(row.velocity(now));
    if (!options.all && threshold_.is_impact(touch, speed)) continue;  // to its impact
    if (touch.gap > dt * (std::max(speed, 0.0) + unforeseen_gain)) continue;
    // Touches of a pair follow each other.
    const auto same_pair = [&](const Touch& other) {
      return other.body_a == touch.body_a && other.body_b == touch.body_b;
    };
    const bool alone = !(i > 0 && same_pair(touches[i - 1])) &&
                       !(i + 1 < touches.size() && same_pair(touches[i + 1]));
    double gap = touch.gap;
    if (alone && options.rolls) take_to_middle(touch, dt, row, gap);
    row.drift = 0.5 * dt * bodies_.gravity_between(touch);
    row.target = gap >= 0.0 ? -gap / dt : std::min(-0.5 * gap / dt, fastest_recovery);
    // Most contacts go on as they were: warm start.
    if (const CachedContact* last = cached(touch)) {
      const Vec3 likely = dt / last->duration * last->impulse;
      if (likely.dot(row.normal) > 0.0) row.impulse = likely;
    }
    result.rows.push_back(row);
    result.touches.push_back(&touch);
  }
  joints_.add_rows(island.joints, dt, result.rows);
  return result;
}

void RestingContactSolver::resolve(const Island& island, const std::vector<Touch>& touches,
                                   double dt, const Options& options) {
  assert(dt > 0.0 && "contacts last for a time");
  const std::vector<BodyMomentum> before = bodies_.momenta();
  Rows contacts = rows_of(island, touches, before, dt, options);
  std::vector<ContactRow>& rows = contacts.rows;
  std::vector<BodyMomentum> now = before;
  for (const ContactRow& row : rows) apply_impulse(row, row.impulse, now);
  solve_rows(rows, now);
  // Impulses of before may have been too much, and the sweeps too few to take them back. From none,
  // each row only takes energy.
  if (rows.size() > 1 && energy_in_middle(island, now, dt) > energy_in_middle(island, before, dt)) {
    now = before;
    for (ContactRow& row : rows) row.impulse.setZero();
    solve_rows(rows, now);
  }
  bodies_.set_momenta(island.bodies, now);
  if (std::ranges::any_of(touches, [](const Touch& touch) { return touch.gap < -deep; }))
    move_apart(island, touches, dt);
  finish(island, contacts, before, now, dt);
}

void RestingContactSolver::finish(const Island& island, const Rows& contacts,
                                  std::span<const BodyMomentum> before,
                                  std::span<const BodyMomentum> after, double dt) {
  std::vector<CachedContact> lasting;
  for (std::size_t i = 0; i < contacts.touches.size(); ++i) {
    const ContactRow& row = contacts.rows[i];
    const double push = row.impulse.dot(row.normal);
    if (push <= 0.0) continue;
    const Touch& touch = *contacts.touches[i];
    lasting.push_back({touch.key, touch.point, touch.normal, row.impulse, dt, clock_.now() + dt});
    const Vec3 slip = row.velocity(after);
    const double approach = -row.normal.dot(row.velocity(before) - row.drift);
    const Vec3 velocity = slip - row.normal * (row.normal.dot(slip) + approach);
    const double rolling = rolling_speed(touch, row, after, dt);
    if (rolling > 0.0) resist_rolling_at(touch, push, rolling);
    const double across = (velocity + approach * row.normal).norm();
    if (across > slowest_slide || rolling > slowest_slide || approach > slowest_slide) {
      recorder_.add(clock_.now(), touch, row.impulse, velocity, dt, rolling);
    } else {
      recorder_.add_rest(touch, row.impulse.norm());
    }
  }
  cache_.replace(island.pairs, lasting);
}

/// How fast the point of contact moves over the surface of a; 0 if it does not roll [m/s].
double RestingContactSolver::rolling_speed(const Touch& touch, const ContactRow& row,
                                           std::span<const BodyMomentum> after, double dt) const {
  const CachedContact* last = cached(touch);
  if (last == nullptr || !is_turning(touch)) return 0.0;
  const RigidBody& a = bodies_.a(touch);
  const Vec3 carried = after[touch.body_a].velocity + a.angular_velocity().cross(row.push_a) +
                       (a.is_free ? Vec3(0.5 * dt * bodies_.gravity()) : Vec3(Vec3::Zero()));
  const Vec3 over = (touch.point - last->point) / last->duration - carried;
  return (over - row.normal * row.normal.dot(over)).norm();
}

/// Whether two bodies turn against each other. The lowest point of a rim that lies flat is
/// anywhere: that it moves does not mean that the rim rolls.
bool RestingContactSolver::is_turning(const Touch& touch) const {
  return bodies_.turning_between(touch).norm() * bodies_.smaller_reach(touch) > slowest_turn;
}

/// Takes c_r N u per second from the turning of free bodies: a moment c_r N u / |w| against it,
/// with the speed u of the point of contact; on a wheel of radius R that is c_r N R.
void RestingContactSolver::resist_rolling_at(const Touch& touch, double push, double speed) {
  const double coefficient = std::max(bodies_.a(touch).settings.rolling_resistance,
                                      bodies_.b(touch).settings.rolling_resistance);
  if (!(coefficient > 0.0)) return;
  for (const std::uint32_t i : {touch.body_a, touch.body_b}) {
    RigidBody& body = bodies_[i];
    if (body.is_free) resist_rolling(body.frame, coefficient * push * speed, body.state);
  }
}

/// Of motion in the middle of a step [J].
double RestingContactSolver::energy_in_middle(const Island& island,
                                              std::vector<BodyMomentum> momenta, double dt) const {
  for (const std::uint32_t i : island.bodies) {
    momenta[i].velocity += 0.5 * dt * bodies_.gravity();
  }
  return bodies_.kinetic_energy(island.bodies, momenta);
}

/// Takes bodies out of each other by half, as velocities of their own would that end with the step.
void RestingContactSolver::move_apart(const Island& island, std::span<const Touch> touches,
                                      double dt) {
  std::vector<BodyMomentum> shifts = bodies_.momenta();
  for (BodyMomentum& shift : shifts) shift = {.inverse_mass = shift.inverse_mass};
  std::vector<ContactRow> rows;
  for (const Touch& touch : touches) {
    ContactRow row = bodies_.row_of(touch);
    row.friction = 0.0;
    row.target = touch.gap < 0.0 ? -0.5 * touch.gap / dt : -touch.gap / dt;
    rows.push_back(row);
  }
  const std::size_t contacts = rows.size();
  joints_.add_rows(island.joints, 0.0, rows);
  for (std::size_t i = contacts; i < rows.size(); ++i) rows[i].target = 0.0;
  solve_rows(rows, shifts);
  for (const std::uint32_t i : island.bodies) {
    shifts[i].velocity *= dt;
    shifts[i].angular_momentum *= dt;
  }
  bodies_.shift(island.bodies, shifts);
}

}  // namespace peal::dynamics

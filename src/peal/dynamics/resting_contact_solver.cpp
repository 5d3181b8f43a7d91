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

const CachedContact* RestingContactSolver::cached(const ContactPoint& contact_point) const {
  return cache_.find(contact_point, clock_.now(), bodies_.smaller_reach(contact_point));
}

/// Rolling on one point: the velocity is that of the contact in the middle of the step, so that the
/// point of contact moves on as the body turns. The impulse keeps the arm of the start.
void RestingContactSolver::take_to_middle(const ContactPoint& contact_point, double dt,
                                          ContactRow& row, double& gap) const {
  const std::array<const RigidBody*, 2> pair = {&bodies_.a(contact_point),
                                                &bodies_.b(contact_point)};
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
  std::vector<ContactPoint> contact_points;
  const double size = bodies_.smaller_reach(contact_point);
  find_contact_points(place(*pair[0]->shape, poses[0]), place(*pair[1]->shape, poses[1]),
                      contact_point.body_a, contact_point.body_b,
                      std::max(2.0 * std::abs(contact_point.gap), 0.1 * size), contact_points);
  // The same feature, or what is nearest now.
  auto same = std::ranges::find_if(
      contact_points, [&](const ContactPoint& other) { return other.key == contact_point.key; });
  if (same == contact_points.end()) {
    same = std::ranges::min_element(contact_points, {}, [&](const ContactPoint& other) {
      return (other.point - contact_point.point).squaredNorm();
    });
  }
  if (same == contact_points.end()) return;
  if ((same->point - contact_point.point).norm() > 0.25 * size) return;

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
                     0.125 * dt * dt * row.normal.dot(bodies_.gravity_between(contact_point));
  gap = same->gap - way;
}

RestingContactSolver::Rows RestingContactSolver::rows_of(
    const Island& island, const std::vector<ContactPoint>& contact_points,
    std::span<const BodyMomentum> now, double dt, const Options& options) const {
  Rows result;
  for (std::size_t i = 0; i < contact_points.size(); ++i) {
    const ContactPoint& contact_point = contact_points[i];
    ContactRow row = bodies_.row_of(contact_point);
    const double speed = -contact_point.normal.dot(row.velocity(now));
    if (!options.all && threshold_.is_impact(contact_point, speed)) continue;  // to its impact
    if (contact_point.gap > dt * (std::max(speed, 0.0) + unforeseen_gain)) continue;
    // Touches of a pair follow each other.
    const auto same_pair = [&](const ContactPoint& other) {
      return other.body_a == contact_point.body_a && other.body_b == contact_point.body_b;
    };
    const bool alone = !(i > 0 && same_pair(contact_points[i - 1])) &&
                       !(i + 1 < contact_points.size() && same_pair(contact_points[i + 1]));
    double gap = contact_point.gap;
    if (alone && options.rolls) take_to_middle(contact_point, dt, row, gap);
    row.drift = 0.5 * dt * bodies_.gravity_between(contact_point);
    row.target = gap >= 0.0 ? -gap / dt : std::min(-0.5 * gap / dt, fastest_recovery);
    // Most contacts go on as they were: warm start.
    if (const CachedContact* last = cached(contact_point)) {
      const Vec3 likely = dt / last->duration * last->impulse;
      if (likely.dot(row.normal) > 0.0) row.impulse = likely;
    }
    result.rows.push_back(row);
    result.contact_points.push_back(&contact_point);
  }
  joints_.add_rows(island.joints, dt, result.rows);
  return result;
}

void RestingContactSolver::resolve(const Island& island,
                                   const std::vector<ContactPoint>& contact_points, double dt,
                                   const Options& options) {
  assert(dt > 0.0 && "contacts last for a time");
  const std::vector<BodyMomentum> before = bodies_.momenta();
  Rows contacts = rows_of(island, contact_points, before, dt, options);
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
  if (std::ranges::any_of(contact_points, [](const ContactPoint& contact_point) {
        return contact_point.gap < -deep;
      }))
    move_apart(island, contact_points, dt);
  finish(island, contacts, before, now, dt);
}

void RestingContactSolver::finish(const Island& island, const Rows& contacts,
                                  std::span<const BodyMomentum> before,
                                  std::span<const BodyMomentum> after, double dt) {
  std::vector<CachedContact> lasting;
  for (std::size_t i = 0; i < contacts.contact_points.size(); ++i) {
    const ContactRow& row = contacts.rows[i];
    const double push = row.impulse.dot(row.normal);
    if (push <= 0.0) continue;
    const ContactPoint& contact_point = *contacts.contact_points[i];
    lasting.push_back({contact_point.key, contact_point.point, contact_point.normal, row.impulse,
                       dt, clock_.now() + dt});
    const Vec3 slip = row.velocity(after);
    const double approach = -row.normal.dot(row.velocity(before) - row.drift);
    const Vec3 velocity = slip - row.normal * (row.normal.dot(slip) + approach);
    const double rolling = rolling_speed(contact_point, row, after, dt);
    if (rolling > 0.0) resist_rolling_at(contact_point, push, rolling);
    const double across = (velocity + approach * row.normal).norm();
    if (across > slowest_slide || rolling > slowest_slide || approach > slowest_slide) {
      recorder_.add(clock_.now(), contact_point, row.impulse, velocity, dt, rolling);
    } else {
      recorder_.add_rest(clock_.now(), dt, contact_point, row.impulse);
    }
  }
  cache_.replace(island.pairs, lasting);
}

/// Speed of the contact point over the surface of a; 0 if it does not roll [m/s].
double RestingContactSolver::rolling_speed(const ContactPoint& contact_point, const ContactRow& row,
                                           std::span<const BodyMomentum> after, double dt) const {
  const CachedContact* last = cached(contact_point);
  if (last == nullptr || !is_turning(contact_point)) return 0.0;
  const RigidBody& a = bodies_.a(contact_point);
  const Vec3 carried = after[contact_point.body_a].velocity +
                       a.angular_velocity().cross(row.push_a) +
                       (a.is_free ? Vec3(0.5 * dt * bodies_.gravity()) : Vec3(Vec3::Zero()));
  const Vec3 over = (contact_point.point - last->point) / last->duration - carried;
  return (over - row.normal * row.normal.dot(over)).norm();
}

/// Whether two bodies turn against each other. The lowest point of a rim that lies flat is
/// anywhere: that it moves does not mean that the rim rolls.
bool RestingContactSolver::is_turning(const ContactPoint& contact_point) const {
  return bodies_.turning_between(contact_point).norm() * bodies_.smaller_reach(contact_point) >
         slowest_turn;
}

/// Takes c_r N u per second from the turning of free bodies: a moment c_r N u / |w| against it,
/// with the speed u of the point of contact; on a wheel of radius R that is c_r N R.
void RestingContactSolver::resist_rolling_at(const ContactPoint& contact_point, double push,
                                             double speed) {
  const double coefficient = std::max(bodies_.a(contact_point).settings.rolling_resistance,
                                      bodies_.b(contact_point).settings.rolling_resistance);
  if (!(coefficient > 0.0)) return;
  for (const std::uint32_t i : {contact_point.body_a, contact_point.body_b}) {
    RigidBody& body = bodies_[i];
    if (body.is_free) resist_rolling(body.frame, coefficient * push * speed, body.state);
  }
}

/// Kinetic energy in the middle of a step [J].
double RestingContactSolver::energy_in_middle(const Island& island,
                                              std::vector<BodyMomentum> momenta, double dt) const {
  for (const std::uint32_t i : island.bodies) {
    momenta[i].velocity += 0.5 * dt * bodies_.gravity();
  }
  return bodies_.kinetic_energy(island.bodies, momenta);
}

/// Reduces overlaps by half, like velocities of their own that end with the step.
void RestingContactSolver::move_apart(const Island& island,
                                      std::span<const ContactPoint> contact_points, double dt) {
  std::vector<BodyMomentum> shifts = bodies_.momenta();
  for (BodyMomentum& shift : shifts) shift = {.inverse_mass = shift.inverse_mass};
  std::vector<ContactRow> rows;
  for (const ContactPoint& contact_point : contact_points) {
    ContactRow row = bodies_.row_of(contact_point);
    row.friction = 0.0;
    row.target = contact_point.gap < 0.0 ? -0.5 * contact_point.gap / dt : -contact_point.gap / dt;
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

#include <peal/dynamics/impact_solver.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace peal::dynamics {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double touching = 2e-8;  ///< gap at which an approach is an impact [m]
/// Times that an impact propagates at one time. Through a row of n equal balls it takes n - 1, back
/// and forth between a ball and its floor about log(v / v_c) / log(1 / e).
constexpr int most_passed = 32;
/// Where friction reverses the motion of a body, Newton's restitution can add energy. Then the
/// restitution is reduced by a factor this many times, the last time to zero.
constexpr int most_weaker = 12;
constexpr double weaker = 0.7;

}  // namespace

double ImpactThreshold::at(const ContactPoint& contact_point) const {
  const RigidBody &a = bodies_.a(contact_point), &b = bodies_.b(contact_point);
  const double slowest = least_ + steps_of_rest * clock_.step * (a.pushed + b.pushed);
  const double size = bodies_.smaller_reach(contact_point);
  const CachedContact* last = cache_.find(contact_point, clock_.now(), size);
  if (last == nullptr) return slowest;
  const double way = (contact_point.point - last->point).norm();
  if (way > farthest_roll * size) return slowest;  // another place
  return slowest + way * bodies_.turning_between(contact_point).norm();
}

/// Time until the gap closes fast, or a little before [s]: rotating bodies may close it by more
/// than their velocity does, by w^2 r t^2 / 2 at most.
double ImpactSolver::time_of_impact(const ContactPoint& contact_point, const Vec3& velocity) const {
  const auto sway = [&](const RigidBody& body) {
    return body.angular_velocity().squaredNorm() * (contact_point.point - body.centre()).norm();
  };
  const double speed = -contact_point.normal.dot(velocity);
  const double growth =
      std::max(0.0, -contact_point.normal.dot(bodies_.gravity_between(contact_point))) +
      sway(bodies_.a(contact_point)) + sway(bodies_.b(contact_point));
  const double gap = std::max(contact_point.gap, 0.0);
  const double root = std::sqrt(speed * speed + 2.0 * growth * gap);
  if (!threshold_.is_impact(contact_point, root)) return never;
  if (speed > 0.0) return 2.0 * gap / (speed + root);
  return growth > 0.0 ? (root - speed) / growth : never;
}

double ImpactSolver::time_until_impact(std::span<const ContactPoint> contact_points,
                                       double left) const {
  const std::vector<BodyMomentum> now = bodies_.momenta();
  double dt = left;
  for (const ContactPoint& contact_point : contact_points) {
    // A body that leaves a contact returns slowly, by gravity alone: resting contacts handle it.
    const Vec3 velocity = bodies_.row_of(contact_point).velocity(now);
    if (contact_point.gap <= touching && -contact_point.normal.dot(velocity) <= threshold_.least())
      continue;
    dt = std::min(dt, time_of_impact(contact_point, velocity));
  }
  return dt;
}

std::vector<ContactRow> ImpactSolver::bounced(const Island& island,
                                              std::span<const ContactPoint> contact_points,
                                              double restitution,
                                              std::span<BodyMomentum> momenta) const {
  std::vector<ContactRow> rows;
  for (const ContactPoint& contact_point : contact_points) {
    ContactRow row = bodies_.row_of(contact_point);
    const double speed = -row.normal.dot(row.velocity(momenta));
    if (threshold_.is_impact(contact_point, speed))
      row.target = restitution * bodies_.restitution_of(contact_point) * speed;
    rows.push_back(row);
  }
  joints_.add_rows(island.joints, 0.0, rows);
  solve_rows(rows, momenta);
  return rows;
}

/// Resolves all contact points, and returns the impact at each: those of bodies that ring first,
/// the others together.
std::vector<ImpactSolver::Impact> ImpactSolver::bounce(
    const Island& island, std::span<const ContactPoint> contact_points) {
  const CompliantImpacts::Result compliant = compliant_.resolve(island, contact_points);
  if (compliant.resolved.empty()) return bounce_rigidly(island, contact_points);
  std::vector<Impact> impacts(contact_points.size());
  std::vector<ContactPoint> left;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < contact_points.size(); ++i) {
    if (!compliant.resolved[i]) {
      left.push_back(contact_points[i]);
      index.push_back(i);
      continue;
    }
    const Vec3& velocity = compliant.velocities[i];
    impacts[i] = {.impulse = compliant.impulses[i],
                  .recorded = compliant.impulses[i],
                  .velocity = velocity,
                  .is_passed_on = contact_points[i].normal.dot(velocity) > -threshold_.least()};
  }
  if (left.empty()) return impacts;
  const std::vector<Impact> rigid = bounce_rigidly(island, left);
  for (std::size_t k = 0; k < left.size(); ++k) impacts[index[k]] = rigid[k];
  return impacts;
}

std::vector<ImpactSolver::Impact> ImpactSolver::bounce_rigidly(
    const Island& island, std::span<const ContactPoint> contact_points) {
  const std::vector<BodyMomentum> before = bodies_.momenta();
  const double energy = bodies_.kinetic_energy(island.bodies, before);
  std::vector<BodyMomentum> after;
  std::vector<ContactRow> rows;
  for (int attempt = 0; attempt <= most_weaker; ++attempt) {
    after = before;
    rows = bounced(island, contact_points, attempt == most_weaker ? 0.0 : std::pow(weaker, attempt),
                   after);
    if (island.is_driven || bodies_.kinetic_energy(island.bodies, after) <= energy * (1.0 + 1e-12))
      break;
  }
  std::vector<Impact> impacts(contact_points.size());
  for (std::size_t i = 0; i < contact_points.size(); ++i) {
    if (rows[i].impulse.isZero()) continue;
    const Vec3 velocity = rows[i].velocity(before);
    const bool is_passed_on = rows[i].normal.dot(velocity) > -threshold_.least();
    impacts[i] = {.impulse = rows[i].impulse, .velocity = velocity, .is_passed_on = is_passed_on};
  }
  bodies_.set_momenta(island.bodies, after);
  return impacts;
}

void ImpactSolver::record(const ContactPoint& contact_point, const Impact& impact) {
  const Vec3 impulse = impact.impulse - impact.recorded;
  if (impulse.isZero()) return;
  if (impact.is_passed_on && contact_point.normal.dot(impact.velocity) > -slowest_passed_on) {
    recorder_.add_rest(contact_point, impulse.norm());
  } else {
    recorder_.add(clock_.now() + impact.delay, contact_point, impulse, impact.velocity);
  }
}

/// Closing speed of a contact point if it bounces, otherwise 0 [m/s].
double ImpactSolver::impact_speed(const ContactPoint& contact_point,
                                  std::span<const BodyMomentum> momenta) const {
  const double speed = -contact_point.normal.dot(bodies_.row_of(contact_point).velocity(momenta));
  return threshold_.is_impact(contact_point, speed) ? speed : 0.0;
}

bool ImpactSolver::resolve_now(const Island& island, std::span<const ContactPoint> all,
                               bool at_once) {
  const std::vector<BodyMomentum> before = bodies_.momenta();
  std::vector<ContactPoint> contact_points;
  bool begins = false;
  for (const ContactPoint& contact_point : all) {
    const bool near =
        at_once
            ? time_of_impact(contact_point, bodies_.row_of(contact_point).velocity(before)) < 1e-12
            : contact_point.gap < touching;
    begins = begins || (near && impact_speed(contact_point, before) > 0.0);
    if (contact_point.gap < together) contact_points.push_back(contact_point);
  }
  if (begins) resolve_within(island, contact_points, 0.0);
  return begins;
}

/// Finds the contact points of pairs that collide within a time [s], with the other contact points
/// of such a pair, and the times: not before the last impacts of the bodies, `last_struck` after
/// now [s].
std::vector<std::size_t> ImpactSolver::meeting(const std::vector<ContactPoint>& contact_points,
                                               double within, std::span<const double> last_struck,
                                               std::vector<Impact>& impacts) const {
  const std::vector<BodyMomentum> now = bodies_.momenta();
  std::vector<std::size_t> result;
  for (std::size_t i = 0, end = 0; i < contact_points.size(); i = end) {
    // Contact points of a pair are consecutive; those that touch already belong to the impact.
    const std::uint32_t a = contact_points[i].body_a, b = contact_points[i].body_b;
    const double earliest = std::max(last_struck[a], last_struck[b]);
    std::vector<std::size_t> of_pair;
    double first = never;
    for (end = i; end < contact_points.size() && contact_points[end].body_a == a &&
                  contact_points[end].body_b == b;
         ++end) {
      const double speed = impact_speed(contact_points[end], now);
      const double gap = std::max(contact_points[end].gap, 0.0);
      const bool comes = speed > 0.0 && gap < together + speed * within;
      if (!comes && gap >= together) continue;
      of_pair.push_back(end);
      if (!comes) continue;
      const double growth =
          -contact_points[end].normal.dot(bodies_.gravity_between(contact_points[end]));
      const double root = std::sqrt(std::max(0.0, speed * speed + 2.0 * growth * gap));
      const double delay = std::min(std::max(2.0 * gap / (speed + root), earliest), within);
      first = std::min(first, delay);
      if (impacts[end].impulse.isZero()) impacts[end].delay = delay;
    }
    if (first == never) continue;
    for (const std::size_t k : of_pair) {
      if (impacts[k].impulse.isZero()) impacts[k].delay = std::max(impacts[k].delay, first);
    }
    result.insert(result.end(), of_pair.begin(), of_pair.end());
  }
  return result;
}

/// Propagates impacts from body to body. All contact points of one pair, and all pairs that collide
/// at once, are resolved together. A contact point that is hit several times has one impact.
ImpactSolver::Result ImpactSolver::resolve_within(const Island& island,
                                                  const std::vector<ContactPoint>& contact_points,
                                                  double within) {
  assert(within >= 0.0 && "impacts come after now");
  Result result{.impacts = std::vector<Impact>(contact_points.size())};
  std::vector<Impact>& sums = result.impacts;
  std::vector<double> last_struck(bodies_.size(), 0.0);
  double fastest = 0.0;  // approach [m/s]
  const auto strike = [&](const std::vector<std::size_t>& which) {
    std::vector<ContactPoint> struck;
    for (const std::size_t i : which) struck.push_back(contact_points[i]);
    const std::vector<Impact> impacts = bounce(island, struck);
    for (std::size_t k = 0; k < which.size(); ++k) {
      if (impacts[k].impulse.isZero()) continue;
      fastest = std::max(fastest, -struck[k].normal.dot(impacts[k].velocity));
      Impact& sum = sums[which[k]];
      if (sum.impulse.isZero()) {
        sum.impulse = impacts[k].impulse;
        sum.recorded = impacts[k].recorded;
        sum.velocity = impacts[k].velocity;
        sum.is_passed_on = impacts[k].is_passed_on;
      } else {
        sum.impulse += impacts[k].impulse;
        sum.recorded += impacts[k].recorded;
        sum.is_passed_on = true;
      }
      for (const std::uint32_t body : {struck[k].body_a, struck[k].body_b}) {
        if (bodies_[body].is_free) last_struck[body] = std::max(last_struck[body], sum.delay);
      }
    }
  };
  int passed = 0;
  for (; passed < most_passed; ++passed) {
    const std::vector<std::size_t> struck = meeting(contact_points, within, last_struck, sums);
    if (struck.empty()) break;
    result.meetings += struck.size();
    strike(struck);
  }
  if (passed == most_passed) {  // impacts go to and fro without end: resolve all together
    std::vector<std::size_t> near;
    for (std::size_t i = 0; i < contact_points.size(); ++i) {
      if (contact_points[i].gap < together) near.push_back(i);
    }
    strike(near);
  }
  const std::vector<BodyMomentum> now = bodies_.momenta();
  for (std::size_t i = 0; i < contact_points.size(); ++i) {
    Impact& impact = sums[i];
    if (impact.is_passed_on) {
      // As fast as two bodies must meet by themselves for such an impulse; not faster than what
      // struck them.
      const Vec3& normal = contact_points[i].normal;
      const double alone = impact.impulse.dot(normal) *
                           bodies_.row_of(contact_points[i]).response(now) /
                           (1.0 + bodies_.restitution_of(contact_points[i]));
      const double speed = std::min(alone, fastest);
      impact.velocity -= normal * std::max(0.0, speed + normal.dot(impact.velocity));
    }
    record(contact_points[i], impact);
  }
  return result;
}

}  // namespace peal::dynamics

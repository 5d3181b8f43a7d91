#include <peal/dynamics/collision_detection.h>
#include <peal/dynamics/impact_solver.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

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

namespace {

/// Points of a pair beside those that meet: corners and rims that follow. More would be those of
/// finely faceted surfaces, which all touch at once or not at all.
constexpr std::size_t most_near = 8;

void add_body(std::uint32_t body, std::vector<std::uint32_t>& bodies) {
  const auto at = std::ranges::lower_bound(bodies, body);
  if (at == bodies.end() || *at != body) bodies.insert(at, body);
}

bool has(const std::vector<std::uint32_t>& bodies, std::uint32_t body) {
  return std::ranges::binary_search(bodies, body);
}

/// The fastest approach of contact points [m/s].
double fastest_of(const RigidBodies& bodies, std::span<const ContactPoint> points) {
  const std::vector<BodyMomentum> now = bodies.momenta();
  double fastest = 0.0;
  for (const ContactPoint& point : points)
    fastest = std::max(fastest, -point.normal.dot(bodies.row_of(point).velocity(now)));
  return fastest;
}

}  // namespace

std::vector<CompliantImpacts::Group> CompliantImpacts::groups(
    std::span<const ContactPoint> contact_points) const {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < contact_points.size(); ++i) {
    const ContactPoint& point = contact_points[i];
    const auto shares = [&](const Group& group) {
      return (bodies_.a(point).is_free && has(group.bodies, point.body_a)) ||
             (bodies_.b(point).is_free && has(group.bodies, point.body_b));
    };
    Group whole;
    // All groups that the point connects become one, in the order of their points.
    for (auto it = groups.begin(); it != groups.end();) {
      if (!shares(*it)) {
        ++it;
        continue;
      }
      for (const std::uint32_t body : it->bodies) add_body(body, whole.bodies);
      whole.points.insert(whole.points.end(), it->points.begin(), it->points.end());
      whole.given.insert(whole.given.end(), it->given.begin(), it->given.end());
      it = groups.erase(it);
    }
    add_body(point.body_a, whole.bodies);
    add_body(point.body_b, whole.bodies);
    whole.points.push_back(point);
    whole.given.push_back(i);
    groups.push_back(std::move(whole));
  }
  return groups;
}

/// Adds contact points that may meet before the impact is over.
void CompliantImpacts::add_near(const Island& island, Group& group) const {
  const double fastest = fastest_of(bodies_, group.points);
  const std::vector<std::uint32_t> struck = group.bodies;
  const std::size_t given = group.points.size();
  for (const BodyPair& pair : island.pairs) {
    const std::uint32_t a = pair.a, b = pair.b;
    const bool touches =
        (bodies_[a].is_free && has(struck, a)) || (bodies_[b].is_free && has(struck, b));
    if (!touches) continue;
    const double reach = std::max(law_->reach(a, b, fastest), together);
    const PosedShape shape_a = bodies_[a].placed(), shape_b = bodies_[b].placed();
    if (are_apart(shape_a, shape_b, reach)) continue;
    std::vector<ContactPoint> near;
    find_contact_points(shape_a, shape_b, a, b, reach, near);
    std::erase_if(near, [&](const ContactPoint& point) {
      const auto is_same = [&](const ContactPoint& other) {
        return other.body_a == a && other.body_b == b && other.key == point.key;
      };
      return std::any_of(group.points.begin(),
                         group.points.begin() + static_cast<std::ptrdiff_t>(given), is_same);
    });
    if (near.size() > most_near) {
      std::ranges::stable_sort(near, {}, &ContactPoint::gap);
      near.resize(most_near);
    }
    if (near.empty()) continue;
    add_body(a, group.bodies);
    add_body(b, group.bodies);
    group.points.insert(group.points.end(), near.begin(), near.end());
  }
}

base::ImpactBody CompliantImpacts::impact_body(std::uint32_t i) const {
  const RigidBody& body = bodies_[i];
  base::ImpactBody result{.body = i, .pose = body.pose, .centre = body.centre()};
  result.velocity = body.velocity();
  result.angular_velocity = body.angular_velocity();
  if (body.is_free) {
    result.inverse_mass = 1.0 / body.frame.mass;
    result.inverse_inertia = body.inverse_inertia;
  }
  return result;
}

base::ImpactContact CompliantImpacts::impact_contact(const Group& group,
                                                     const ContactPoint& point) const {
  const auto index = [&](std::uint32_t body) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(group.bodies, body) -
                                      group.bodies.begin());
  };
  return {.a = index(point.body_a),
          .b = index(point.body_b),
          .point = point.point,
          .normal = point.normal,
          .gap = point.gap,
          .restitution = bodies_.restitution_of(point),
          .friction = bodies_.row_of(point).friction};
}

CompliantImpacts::Result CompliantImpacts::resolve(const Island& island,
                                                   std::span<const ContactPoint> contact_points) {
  Result result;
  if (!law_) return result;
  for (Group& group : groups(contact_points)) {
    std::vector<base::ImpactBody> bodies;
    for (const std::uint32_t body : group.bodies) bodies.push_back(impact_body(body));
    std::vector<base::ImpactContact> touches;
    for (const ContactPoint& point : group.points) touches.push_back(impact_contact(group, point));
    if (!law_->matters(bodies, touches, clock_.now())) continue;
    if (result.resolved.empty()) {
      result.resolved.resize(contact_points.size());
      result.impulses.resize(contact_points.size(), Vec3::Zero());
      result.velocities.resize(contact_points.size(), Vec3::Zero());
    }
    add_near(island, group);
    strike(island, group, result);
  }
  return result;
}

void CompliantImpacts::strike(const Island& island, const Group& group, Result& result) {
  std::vector<base::ImpactBody> bodies;
  for (const std::uint32_t body : group.bodies) bodies.push_back(impact_body(body));
  std::vector<base::ImpactContact> touches;
  for (const ContactPoint& point : group.points) touches.push_back(impact_contact(group, point));
  const base::ImpactOutcome outcome = law_->strike(bodies, touches, clock_.now());

  std::vector<BodyMomentum> momenta = bodies_.momenta();
  for (std::size_t i = 0; i < group.points.size(); ++i) {
    const ContactPoint& point = group.points[i];
    const base::ImpactContact& touch = touches[i];
    const Vec3& impulse = outcome.touches[i].impulse;
    const Vec3 velocity =
        bodies[touch.a].velocity_at(touch.point) - bodies[touch.b].velocity_at(touch.point);
    if (i < group.given.size()) {
      result.resolved[group.given[i]] = true;
      result.impulses[group.given[i]] = impulse;
      result.velocities[group.given[i]] = velocity;
    }
    if (impulse.isZero()) continue;
    const auto push = [&](std::uint32_t body, const Vec3& change) {
      if (!bodies_[body].is_free) return;
      momenta[body].velocity += momenta[body].inverse_mass * change;
      momenta[body].angular_momentum += (point.point - bodies_[body].centre()).cross(change);
    };
    push(point.body_a, impulse);
    push(point.body_b, -impulse);
    recorder_.add(clock_.now(), point, velocity,
                  outcome.touches[i].force.coarser(base::shortest_force_step));
  }
  if (!island.joints.empty()) {
    // What the impact tears apart, the joints hold together: that only takes energy.
    std::vector<ContactRow> rows;
    joints_.add_rows(island.joints, 0.0, rows);
    solve_rows(rows, momenta);
  }
  bodies_.set_momenta(island.bodies, momenta);
}

}  // namespace peal::dynamics

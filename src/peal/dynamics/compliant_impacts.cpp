#include <peal/dynamics/collision_detection.h>
#include <peal/dynamics/compliant_impacts.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace peal::dynamics {

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

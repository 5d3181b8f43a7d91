#include <peal/contact/contact_forces.h>
#include <peal/contact/hertz.h>
#include <peal/fem/lame.h>

#include <Eigen/LU>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace peal::contact {

using base::Impact;
using base::Vec3;

namespace {

/// A body at one impact, in its own frame.
struct Touch {
  Vec3 at, normal, impulse_direction;
  ContactSide side;
};

Touch touch(const ContactBody& body, const Impact& impact, double sign) {
  const base::Pose pose = body.motion->pose(impact.time);
  const geometry::Quat to_body = pose.orientation.conjugate();
  Touch result{.at = pose.to_local(impact.point),
               .normal = to_body * impact.normal,
               .impulse_direction = to_body * (sign * impact.impulse.normalized())};
  result.side = {
      .inverse_mass =
          body.is_free ? 1.0 / geometry::effective_mass(body.mass, result.at, result.normal) : 0.0,
      .radius = body.shape->radius(result.at),
      .compliance = fem::contact_compliance(body.material)};
  return result;
}

/// A body as the impact law sees it: of the velocities only that of the approach matters.
base::ImpactBody impact_body(std::uint32_t index, const ContactBody& body, double time) {
  base::ImpactBody result{.body = index, .pose = body.motion->pose(time)};
  result.centre = result.pose.position;
  if (!body.is_free) return result;
  const geometry::Mat3 turn = result.pose.orientation.toRotationMatrix();
  result.centre = result.pose.to_world(body.mass.centre);
  result.inverse_mass = 1.0 / body.mass.mass;
  result.inverse_inertia = turn * body.mass.inertia.inverse() * turn.transpose();
  return result;
}

/// The force of an impact of which point, time, approach and impulse are given; empty if it is that
/// of rigid bodies.
base::ForceHistory found_force(const Impact& impact, std::span<const ContactBody> bodies,
                               CompliantImpactLaw& law) {
  const ContactBody &a = bodies[impact.body_a], &b = bodies[impact.body_b];
  std::vector<base::ImpactBody> pair = {impact_body(impact.body_a, a, impact.time),
                                        impact_body(impact.body_b, b, impact.time)};
  const base::ImpactContact touch{.a = 0,
                                  .b = 1,
                                  .point = impact.point,
                                  .normal = impact.normal,
                                  .restitution = 0.5 * (a.restitution + b.restitution)};
  double speed = impact.speed;
  if (!(speed > 0.0)) {
    double response = 0.0;  // to a unit impulse along the normal [1/kg]
    for (const base::ImpactBody& body : pair) {
      const Vec3 arm = (impact.point - body.centre).cross(impact.normal);
      response += body.inverse_mass + arm.dot(body.inverse_inertia * arm);
    }
    speed = impact.impulse.dot(impact.normal) * response / (1.0 + touch.restitution);
  }
  if (!(speed > 0.0)) return {};
  (a.is_free ? pair[0] : pair[1]).velocity = (a.is_free ? -speed : speed) * impact.normal;
  if (!law.matters(pair, std::span(&touch, 1), impact.time)) return {};
  return law.strike_with(pair, touch, impact.impulse, impact.time);
}

base::ContactForce force_on(const ContactBody& body, const Impact& impact, double sign) {
  const base::Pose pose = body.motion->pose(impact.time);
  auto own = impact.force->rotated(pose.orientation.conjugate(), sign);
  return base::contact_force(std::make_shared<const base::ForceHistory>(std::move(own)),
                             pose.to_local(impact.point));
}

}  // namespace

void find_forces(std::span<Impact> impacts, std::span<const ContactBody> bodies,
                 CompliantImpactLaw& law) {
  for (Impact& impact : impacts) {
    const ContactBody &a = bodies[impact.body_a], &b = bodies[impact.body_b];
    if (!(impact.impulse.norm() > 0.0) || !(a.is_free || b.is_free)) continue;
    if (impact.force) {
      for (const auto& [body, sign] : {std::pair(impact.body_a, 1.0), {impact.body_b, -1.0}}) {
        const base::ContactForce known = force_on(bodies[body], impact, sign);
        law.follow(body, known.at, *known.history);
      }
      continue;
    }
    base::ForceHistory found = found_force(impact, bodies, law);
    if (!found.empty()) impact.force = std::make_shared<const base::ForceHistory>(std::move(found));
  }
}

std::vector<std::vector<base::ContactForce>> contact_forces(std::span<const Impact> impacts,
                                                            std::span<const ContactBody> bodies) {
  std::vector<std::vector<base::ContactForce>> forces(bodies.size());
  for (const Impact& impact : impacts) {
    const double impulse = impact.impulse.norm();
    const ContactBody &a = bodies[impact.body_a], &b = bodies[impact.body_b];
    if (!(impulse > 0.0) || !(a.is_free || b.is_free)) continue;
    if (impact.force) {
      forces[impact.body_a].push_back(force_on(a, impact, 1.0));
      forces[impact.body_b].push_back(force_on(b, impact, -1.0));
      continue;
    }
    const Touch on_a = touch(a, impact, 1.0), on_b = touch(b, impact, -1.0);
    const HertzContact contact =
        hertz_contact(on_a.side, on_b.side, impact.speed, std::min(a.patch, b.patch));
    const base::ForcePulse pulse{impact.time, contact.contact_time(), impulse};
    forces[impact.body_a].push_back({pulse, on_a.at, on_a.impulse_direction});
    forces[impact.body_b].push_back({pulse, on_b.at, on_b.impulse_direction});
  }
  return forces;
}

}  // namespace peal::contact

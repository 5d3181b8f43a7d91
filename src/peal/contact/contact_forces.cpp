#include <peal/contact/contact_forces.h>
#include <peal/contact/hertz.h>

#include <algorithm>

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
      .young_modulus = body.material.young_modulus,
      .poisson_ratio = body.material.poisson_ratio};
  return result;
}

}  // namespace

std::vector<std::vector<base::ContactForce>> contact_forces(std::span<const Impact> impacts,
                                                            std::span<const ContactBody> bodies) {
  std::vector<std::vector<base::ContactForce>> forces(bodies.size());
  for (const Impact& impact : impacts) {
    const double impulse = impact.impulse.norm();
    const ContactBody &a = bodies[impact.body_a], &b = bodies[impact.body_b];
    if (!(impulse > 0.0) || !(a.is_free || b.is_free)) continue;
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

#include <peal/contact/contact_forces.h>
#include <peal/contact/hertz.h>
#include <peal/fem/lame.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace peal::contact {

using base::Impact;
using base::LastingContact;
using base::RestingContact;
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

namespace {

/// For which a contact that moves is at one point [s]: a centimetre at half a metre a second.
constexpr double at_one_point = 0.02;
/// The size of flat contacts depends little on the speed at which they would meet [m/s].
constexpr double gentle = 0.01;

/// The parts of an interval in which the contact is taken to be at one point.
std::vector<RestingContact> pieces_of(const base::ContactInterval& interval) {
  std::vector<RestingContact> pieces;
  for (const base::ContactInterval::Step& step : interval.path) {
    if (pieces.empty() || step.end() - pieces.back().begin > at_one_point) {
      pieces.push_back({.begin = step.time,
                        .end = step.time,
                        .body_a = interval.body_a,
                        .body_b = interval.body_b,
                        .point = step.point,
                        .normal = step.normal});
    }
    pieces.back().end = std::max(pieces.back().end, step.end());
    pieces.back().impulse += step.load * step.duration;
  }
  return pieces;
}

class Resting {
 public:
  Resting(std::span<const ContactBody> bodies, const CompliantImpactLaw& law)
      : bodies_(bodies), law_(law) {}

  /// The contact as the vibration of one of the two bodies meets it.
  LastingContact on(const RestingContact& rest, bool is_a) const {
    const std::uint32_t own = is_a ? rest.body_a : rest.body_b,
                        other = is_a ? rest.body_b : rest.body_a;
    const base::Pose pose = bodies_[own].motion->pose(rest.begin);
    LastingContact result{.begin = rest.begin,
                          .end = rest.end,
                          .at = pose.to_local(rest.point),
                          .normal = pose.orientation.conjugate() * rest.normal,
                          .load = rest.load()};
    const std::array<ContactSide, 2> sides = {side(own, rest), side(other, rest)};
    result.inverse_mass = sides[0].inverse_mass + sides[1].inverse_mass;
    result.restitution = 0.5 * (bodies_[own].restitution + bodies_[other].restitution);
    const HertzContact hertz = hertz_contact(sides[0], sides[1], gentle,
                                             std::min(bodies_[own].patch, bodies_[other].patch));
    // dN/dx of N = k x^1.5.
    const double k = 4.0 / 3.0 * hertz.modulus * std::sqrt(hertz.radius);
    result.stiffness = 1.5 * std::cbrt(k * k * result.load);
    const base::Pose there = bodies_[other].motion->pose(rest.begin);
    result.mobility = law_.mobility(other, there.to_local(rest.point),
                                    there.orientation.conjugate() * rest.normal);
    return result;
  }

 private:
  ContactSide side(std::uint32_t index, const RestingContact& rest) const {
    const ContactBody& body = bodies_[index];
    const base::Pose pose = body.motion->pose(rest.begin);
    const Vec3 at = pose.to_local(rest.point);
    const Vec3 normal = pose.orientation.conjugate() * rest.normal;
    return {
        .inverse_mass = body.is_free ? 1.0 / geometry::effective_mass(body.mass, at, normal) : 0.0,
        .radius = body.shape->radius(at),
        .compliance = fem::contact_compliance(body.material)};
  }

  std::span<const ContactBody> bodies_;
  const CompliantImpactLaw& law_;
};

}  // namespace

std::vector<std::vector<LastingContact>> lasting_contacts(const base::ContactEvents& events,
                                                          std::span<const ContactBody> bodies,
                                                          const std::vector<bool>& excited,
                                                          const CompliantImpactLaw& law) {
  std::vector<std::vector<LastingContact>> result(bodies.size());
  const Resting resting(bodies, law);
  const auto rings = [&](std::uint32_t body) {
    if (!excited[body]) return false;  // do not look for its modes
    const base::ContactCompliance* compliance = law.compliance(body);
    return compliance != nullptr && !compliance->modes().empty();
  };
  const auto add = [&](const RestingContact& rest) {
    const ContactBody &a = bodies[rest.body_a], &b = bodies[rest.body_b];
    if (!(rest.load() > 0.0) || !(a.is_free || b.is_free) || !a.shape || !b.shape) return;
    if (rings(rest.body_a)) result[rest.body_a].push_back(resting.on(rest, true));
    if (rings(rest.body_b)) result[rest.body_b].push_back(resting.on(rest, false));
  };
  for (const RestingContact& rest : events.rests) add(rest);
  for (const base::ContactInterval& interval : events.intervals) {
    if (!rings(interval.body_a) && !rings(interval.body_b)) continue;
    for (const RestingContact& piece : pieces_of(interval)) add(piece);
  }
  for (std::vector<LastingContact>& list : result)
    std::ranges::stable_sort(list, {}, &LastingContact::begin);
  return result;
}

}  // namespace peal::contact

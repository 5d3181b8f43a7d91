#include <peal/contact/hertz.h>
#include <peal/contact/lasting_contacts.h>
#include <peal/fem/lame.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace peal::contact {

using base::LastingContact;
using base::RestingContact;
using base::Vec3;

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

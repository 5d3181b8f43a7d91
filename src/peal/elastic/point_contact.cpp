#include <peal/elastic/penalty.h>
#include <peal/elastic/point_contact.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace peal::elastic {

using geometry::Vec3;

namespace {

constexpr double ramp = 0.01;  ///< slope by which points that came in sideways rise as they slide

}  // namespace

Vec3 PointContact::velocity(const State& state) const {
  return point_at(on, state.velocity[on.solid]) - point_at(against, state.velocity[against.solid]);
}

double press(const PointContact& contact, const ContactSurface& a, const ContactSurface& b,
             const State& state, double dt, std::vector<Nodes>& forces, double unpaid) {
  assert(dt > 0.0 && contact.stiffness >= 0.0 && "a spring is pressed in a step");
  const ContactVelocity velocity(contact.velocity(state), contact.normal);
  double lightest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    lightest = std::min({lightest, a.mass[contact.on.nodes[k]], b.mass[contact.against.nodes[k]]});
  }
  const double limit = friction_limit * lightest * velocity.speed / dt, way = dt * velocity.speed;
  const double paid = std::min(
      {unpaid, ramp * way, 0.5 * limit * way / (contact.stiffness * (contact.depth + way))});
  const double climbing = contact.stiffness * (contact.depth + 0.5 * paid) * paid / way;
  const double push = contact.stiffness * spring_depth(contact.depth, dt * velocity.apart);
  const double mu = 0.5 * (a.side.friction + b.side.friction);
  const Vec3 total =
      contact_force(contact.normal, push, velocity, mu * push + climbing, limit / velocity.speed);
  for (int k = 0; k < 3; ++k) {
    forces[contact.on.solid].add(contact.on.nodes[k], contact.on.weights[k] * total);
    forces[contact.against.solid].add(contact.against.nodes[k],
                                      -contact.against.weights[k] * total);
  }
  return paid;
}

}  // namespace peal::elastic

#include <peal/dynamics/rigid_bodies.h>
#include <peal/util/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace peal::dynamics {

Vec3 RigidBody::angular_velocity() const {
  return is_free ? Vec3(inverse_inertia * state.angular_momentum) : scripted_angular_velocity;
}

double RigidBody::speed_bound(const Vec3& gravity, double within) const {
  if (!is_free) {
    const double reach = std::isfinite(shape->reach())
                             ? shape->reach() + shape->frame().to_world(shape->middle()).norm()
                             : 0.0;
    return scripted_velocity.norm() + scripted_angular_velocity.norm() * reach;
  }
  return state.velocity.norm() + gravity.norm() * within +
         (inverse_inertia * state.angular_momentum).norm() *
             (shape->reach() + (shape->frame().to_world(shape->middle()) - frame.centre).norm());
}

void RigidBody::follow_state() {
  assert(is_free && "only a free body has a state");
  pose = body_pose(frame, state);
  inverse_inertia = base::inverse_inertia(frame, state);
}

RigidBodies::RigidBodies(std::vector<RigidBodySettings> bodies, const RigidSettings& settings)
    : gravity_(settings.gravity) {
  const auto shapes = checked_shapes(bodies, settings);
  for (RigidBodySettings& one : bodies) {
    RigidBody body;
    body.settings = std::move(one);
    body.shape = shapes[bodies_.size()];
    body.is_free = body.settings.motion == nullptr;
    body.is_moving = !body.is_free && !body.settings.motion->is_still();
    if (body.is_free) {
      body.frame = base::mass_frame(body.settings.mass);
      const base::Pose& pose = body.settings.pose;
      body.state.position = pose.to_world(body.frame.centre);
      body.state.orientation = pose.orientation * body.frame.axes;
      body.state.velocity = body.settings.velocity;
      const Vec3 own = body.state.orientation.conjugate() * body.settings.angular_velocity;
      body.state.angular_momentum = body.state.orientation * own.cwiseProduct(body.frame.moments);
      body.pose = pose;
      body.inverse_inertia = base::inverse_inertia(body.frame, body.state);
      free_.push_back(static_cast<std::uint32_t>(bodies_.size()));
    }
    bodies_.push_back(std::move(body));
  }
}

std::vector<BodyMomentum> RigidBodies::momenta() const {
  std::vector<BodyMomentum> result;
  for (const RigidBody& body : bodies_) {
    if (body.is_free) {
      result.push_back({.inverse_mass = 1.0 / body.frame.mass,
                        .velocity = body.state.velocity,
                        .angular_momentum = body.state.angular_momentum});
    } else {
      result.push_back(
          {.velocity = body.scripted_velocity, .angular_velocity = body.scripted_angular_velocity});
    }
  }
  result.emplace_back();  // the world
  return result;
}

void RigidBodies::set_momenta(std::span<const std::uint32_t> bodies,
                              std::span<const BodyMomentum> momenta) {
  assert(momenta.size() == bodies_.size() + 1 && "momenta are those of all bodies and the world");
  for (const std::uint32_t i : bodies) {
    bodies_[i].state.velocity = momenta[i].velocity;
    bodies_[i].state.angular_momentum = momenta[i].angular_momentum;
  }
}

double RigidBodies::kinetic_energy(std::span<const std::uint32_t> bodies,
                                   std::span<const BodyMomentum> momenta) const {
  double sum = 0.0;
  for (const std::uint32_t i : bodies) {
    const BodyMomentum& one = momenta[i];
    assert(one.inverse_mass > 0.0 && "only free bodies have a kinetic energy that is counted");
    sum += 0.5 * one.velocity.squaredNorm() / one.inverse_mass +
           0.5 * one.angular_momentum.dot(bodies_[i].inverse_inertia * one.angular_momentum);
  }
  return sum;
}

double RigidBodies::energy() const {
  double sum = kinetic_energy(free_, momenta());
  for (const RigidBody& body : bodies_) {
    if (body.is_free) sum -= body.frame.mass * gravity_.dot(body.state.position);
  }
  return sum;
}

ContactRow RigidBodies::row_of(const ContactPoint& contact_point) const {
  const RigidBody &a = bodies_[contact_point.body_a], &b = bodies_[contact_point.body_b];
  ContactRow row{.body_a = contact_point.body_a,
                 .body_b = contact_point.body_b,
                 .normal = contact_point.normal};
  row.arm_a = row.push_a = contact_point.on_a() - a.centre();
  row.arm_b = row.push_b = contact_point.on_b() - b.centre();
  row.inverse_inertia_a = a.inverse_inertia;
  row.inverse_inertia_b = b.inverse_inertia;
  row.friction = 0.5 * (a.settings.friction + b.settings.friction);
  return row;
}

double RigidBodies::restitution_of(const ContactPoint& contact_point) const {
  return 0.5 * (a(contact_point).settings.restitution + b(contact_point).settings.restitution);
}

Vec3 RigidBodies::gravity_between(const ContactPoint& contact_point) const {
  const double falls_a = a(contact_point).is_free ? 1.0 : 0.0;
  const double falls_b = b(contact_point).is_free ? 1.0 : 0.0;
  return (falls_a - falls_b) * gravity_;
}

double RigidBodies::smaller_reach(const ContactPoint& contact_point) const {
  return std::min(a(contact_point).shape->reach(), b(contact_point).shape->reach());
}

Vec3 RigidBodies::turning_between(const ContactPoint& contact_point) const {
  return a(contact_point).angular_velocity() - b(contact_point).angular_velocity();
}

void RigidBodies::fly(std::span<const std::uint32_t> bodies, double dt) {
  for (const std::uint32_t i : bodies) {
    RigidBody& body = bodies_[i];
    base::fly(body.frame, gravity_, dt, body.state);
    body.follow_state();
  }
}

void RigidBodies::shift(std::span<const std::uint32_t> bodies,
                        std::span<const BodyMomentum> displacement) {
  for (const std::uint32_t i : bodies) {
    RigidBody& body = bodies_[i];
    body.state.position += displacement[i].velocity;
    const Vec3 turn = body.inverse_inertia * displacement[i].angular_momentum;
    const double angle = turn.norm();
    if (angle > 0.0) {
      body.state.orientation =
          (Quat(Eigen::AngleAxisd(angle, turn / angle)) * body.state.orientation).normalized();
    }
  }
}

void RigidBodies::place_scripted(const StepClock& clock) {
  for (RigidBody& body : bodies_) {
    if (body.is_free) continue;
    const base::Motion& motion = *body.settings.motion;
    body.pose = motion.pose(clock.now());
    if (motion.is_still()) continue;
    const ScriptedVelocity moved = scripted_velocity(motion, clock.now(), clock.step);
    body.scripted_velocity = moved.velocity;
    body.scripted_angular_velocity = moved.angular_velocity;
  }
}

void RigidBodies::place_moving(double t) {
  for (RigidBody& body : bodies_) {
    if (body.is_moving) body.pose = body.settings.motion->pose(t);
  }
}

RigidBodies::Changes RigidBodies::update_existence(double t) {
  Changes changes;
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    RigidBody& body = bodies_[i];
    const bool is_there = !body.settings.exists || body.settings.exists->contains(t);
    if (is_there == body.is_there) continue;
    changes.any = true;
    body.is_there = is_there;
    if (is_there) changes.begun.push_back(i);
  }
  return changes;
}

void RigidBodies::refuse_overlaps_of(std::uint32_t body) const {
  for (std::uint32_t other = 0; other < bodies_.size(); ++other) {
    const RigidBody &a = bodies_[body], &b = bodies_[other];
    if (other == body || !b.is_there || (!a.is_free && !b.is_free)) continue;
    if (!a.settings.piece_of.empty() && a.settings.piece_of == b.settings.piece_of) continue;
    const PosedShape shape_a = a.placed(), shape_b = b.placed();
    if (are_apart(shape_a, shape_b, 0.0)) continue;
    std::vector<ContactPoint> contact_points;
    find_contact_points(shape_a, shape_b, body, other, 0.0, contact_points);
    const auto deepest = std::ranges::min_element(contact_points, {}, &ContactPoint::gap);
    if (deepest == contact_points.end() || deepest->gap > -overlap_allowed) continue;
    throw util::InputError(
        {"", a.settings.name},
        fmt::format("\"{}\" appears at {:g} s, where it overlaps \"{}\" by {:.3g} mm",
                    a.settings.name, a.settings.exists->begin, b.settings.name,
                    -1e3 * deepest->gap),
        "Move them apart, or let it appear at another time.");
  }
}

}  // namespace peal::dynamics

#include <peal/elastic/obstacle.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <utility>

namespace peal::elastic {

using geometry::Vec3;

MovingObstacle::MovingObstacle(Obstacle obstacle)
    : obstacle_(std::move(obstacle)), state_(obstacle_.start) {
  place(0.0);
}

void MovingObstacle::place(double t) {
  constexpr double instant = 1e-5;  ///< half the interval of velocity differences [s]
  if (is_free()) {
    pose_ = base::body_pose(obstacle_.mass, state_);
    turning_ = base::angular_velocity(obstacle_.mass, state_);
    velocity_ = state_.velocity + turning_.cross(pose_.position - state_.position);
    speed_ = state_.velocity.norm() + 2.0 * turning_.norm() * obstacle_.reach;
    return;
  }
  const base::Motion& motion = *obstacle_.motion;
  if (motion.is_still() && is_placed_) return;
  is_placed_ = true;
  pose_ = motion.pose(t);
  const base::Pose before = motion.pose(t - instant), after = motion.pose(t + instant);
  velocity_ = (after.position - before.position) / (2.0 * instant);
  const Eigen::AngleAxisd turn(after.orientation * before.orientation.conjugate());
  turning_ = turn.axis() * turn.angle() / (2.0 * instant);
  speed_ = velocity_.norm() + turning_.norm();  // of points within a metre
}

void MovingObstacle::push(const Vec3& at, const Vec3& force) {
  if (!is_free()) return;
  force_ += force;
  torque_ += (at - state_.position).cross(force);
}

void MovingObstacle::kick(double dt, const Vec3& gravity) {
  assert(is_free() && "an animation knows no forces");
  state_.velocity += dt * (force_ / obstacle_.mass.mass + gravity);
  state_.angular_momentum += dt * torque_;
  if (force_.isZero(0.0)) return;
  const double turning = (base::inverse_inertia(obstacle_.mass, state_) * torque_).norm();
  pushed_ = std::max(pushed_, force_.norm() / obstacle_.mass.mass + turning * obstacle_.reach);
}

void MovingObstacle::drift(double dt) {
  assert(is_free() && "others are moved by place()");
  base::fly(obstacle_.mass, Vec3::Zero(), dt, state_);
  force_ = torque_ = Vec3::Zero();
}

void MovingObstacle::take(const base::MovedBody& moved) {
  state_ = moved.state;
  pushed_ = 0.0;
}

double MovingObstacle::energy(const Vec3& gravity) const {
  return base::kinetic_energy(obstacle_.mass, state_) -
         obstacle_.mass.mass * gravity.dot(state_.position);
}

/// Pose and velocity are not serialized: each step recomputes them, for free obstacles from the
/// state.
void MovingObstacle::serialize(util::Archive& archive) {
  for (Vec3* vector : {&state_.position, &state_.velocity, &state_.angular_momentum})
    archive.numbers(std::span(vector->data(), 3));
  archive.numbers(std::span(state_.orientation.coeffs().data(), 4));
  archive.number(pushed_);
}

}  // namespace peal::elastic

#include <peal/base/rigid_body.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace peal::base {

namespace {

constexpr double largest_turn = 0.02;  ///< largest rotation in one step of the splitting [rad]

Quat turn(const Vec3& axis, double angle) {
  return Quat(Eigen::AngleAxisd(angle, axis));
}

/// The axis about which the other two moments are equal; -1 if there is none, 3 if all are equal.
int axis_of_symmetry(const Vec3& moments) {
  const auto equal = [&](int i, int j) {
    return std::abs(moments[i] - moments[j]) <= 1e-9 * (moments[i] + moments[j]);
  };
  if (equal(0, 1) && equal(1, 2)) return 3;
  for (int k = 0; k < 3; ++k) {
    if (equal((k + 1) % 3, (k + 2) % 3)) return k;
  }
  return -1;
}

/// The exact solution: the body precesses steadily about the angular momentum and spins about its
/// own axis.
void turn_symmetric(const Vec3& moments, int axis, double dt, RigidState& state) {
  const double size = state.angular_momentum.norm();
  if (size == 0.0) return;
  const double across = moments[(axis + 1) % 3];
  const Vec3 own = state.orientation * Vec3::Unit(axis % 3);
  const double along = state.angular_momentum.dot(own);
  const double spin = axis == 3 ? 0.0 : along / moments[axis] - along / across;
  state.orientation = turn(state.angular_momentum / size, size / across * dt) * state.orientation *
                      turn(Vec3::Unit(axis % 3), spin * dt);
}

void turn_by_splitting(const MassFrame& frame, double dt, RigidState& state) {
  const double speed = angular_velocity(frame, state).norm();
  // The angular speed is bounded by that of all momentum about the axis of the smallest moment.
  const double most =
      std::min(2.0 * speed, state.angular_momentum.norm() / frame.moments.minCoeff());
  const int steps = std::max(1, static_cast<int>(std::ceil(most * dt / largest_turn)));
  const double h = dt / steps;
  constexpr std::array<int, 5> axes = {0, 1, 2, 1, 0};
  constexpr std::array<double, 5> parts = {0.5, 0.5, 1.0, 0.5, 0.5};
  Vec3 own = state.orientation.conjugate() * state.angular_momentum;
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < 5; ++k) {
      const int axis = axes[k];
      const Quat part = turn(Vec3::Unit(axis), parts[k] * h * own[axis] / frame.moments[axis]);
      own = part.conjugate() * own;
      state.orientation = state.orientation * part;
    }
  }
}

}  // namespace

MassFrame mass_frame(const geometry::MassProperties& mass) {
  // Bodies whose axes are already principal keep them, so that solids of revolution stay exact.
  const double off = (mass.inertia - Mat3(mass.inertia.diagonal().asDiagonal())).norm();
  if (off <= 1e-9 * mass.inertia.norm()) {
    return {.mass = mass.mass, .moments = mass.inertia.diagonal(), .centre = mass.centre};
  }
  const geometry::PrincipalAxes principal = geometry::principal_axes(mass.inertia);
  return {.mass = mass.mass,
          .moments = principal.moments,
          .centre = mass.centre,
          .axes = Quat(principal.axes)};
}

Mat3 inverse_inertia(const MassFrame& frame, const RigidState& state) {
  const Mat3 r = state.orientation.toRotationMatrix();
  return r * frame.moments.cwiseInverse().asDiagonal() * r.transpose();
}

Vec3 angular_velocity(const MassFrame& frame, const RigidState& state) {
  const Vec3 own = state.orientation.conjugate() * state.angular_momentum;
  return state.orientation * own.cwiseQuotient(frame.moments);
}

Pose body_pose(const MassFrame& frame, const RigidState& state) {
  const Quat orientation = state.orientation * frame.axes.conjugate();
  return {.position = state.position - orientation * frame.centre, .orientation = orientation};
}

double kinetic_energy(const MassFrame& frame, const RigidState& state) {
  return 0.5 * frame.mass * state.velocity.squaredNorm() +
         0.5 * state.angular_momentum.dot(angular_velocity(frame, state));
}

void fly(const MassFrame& frame, const Vec3& gravity, double dt, RigidState& state) {
  state.position += dt * state.velocity + 0.5 * dt * dt * gravity;
  state.velocity += dt * gravity;
  const int axis = axis_of_symmetry(frame.moments);
  if (axis >= 0) {
    turn_symmetric(frame.moments, axis, dt, state);
  } else {
    turn_by_splitting(frame, dt, state);
  }
  state.orientation.normalize();
}

}  // namespace peal::base

#include <peal/dynamics/collision_detection.h>
#include <peal/dynamics/joint_constraints.h>

#include <cassert>

namespace peal::dynamics {

JointConstraints::End JointConstraints::end_of(const RigidBody& body, const Vec3& local,
                                               double dt) const {
  End end{.now = body.pose.to_world(local), .inverse_inertia = body.inverse_inertia};
  if (body.is_free) {
    RigidState state = body.state;
    if (dt > 0.0) {
      base::fly(body.frame, bodies_.gravity(), 0.5 * dt, state);
      end.inverse_inertia = base::inverse_inertia(body.frame, state);
    }
    end.then = body_pose(body.frame, state).to_world(local);
    end.push = end.now - body.state.position;
    end.arm = end.then - state.position;
    end.falls = bodies_.gravity();
  } else {
    const base::Pose pose = body.is_moving && dt > 0.0
                                ? body.settings.motion->pose(clock_.now() + 0.5 * dt)
                                : body.pose;
    end.then = pose.to_world(local);
    end.push = end.arm = end.then - pose.position;
  }
  return end;
}

void JointConstraints::add_rows(std::span<const std::uint32_t> which, double dt,
                                std::vector<ContactRow>& rows) const {
  assert(dt >= 0.0 && "joints hold over a time");
  const auto world = static_cast<std::uint32_t>(bodies_.size());
  for (const std::uint32_t k : which) {
    const RigidJoint& joint = joints_[k];
    const End a = end_of(bodies_[joint.body], joint.at, dt);
    const End b = joint.other ? end_of(bodies_[*joint.other], joint.to, dt)
                              : End{.now = joint.to,
                                    .then = joint.to,
                                    .push = Vec3::Zero(),
                                    .arm = Vec3::Zero(),
                                    .inverse_inertia = Mat3::Zero()};
    const Vec3 between = a.then - b.then;
    ContactRow row{.body_a = joint.body, .body_b = joint.other.value_or(world)};
    row.arm_a = a.arm;
    row.push_a = a.push;
    row.inverse_inertia_a = a.inverse_inertia;
    row.arm_b = b.arm;
    row.push_b = b.push;
    row.inverse_inertia_b = b.inverse_inertia;
    row.drift = 0.5 * dt * (a.falls - b.falls);
    row.pulls = !joint.is_string;
    const std::vector<BodyMomentum> now = bodies_.momenta();
    const auto add = [&](const Vec3& normal, const Vec3& force, double gap) {
      row.normal = normal;
      row.force = force;
      const double way = 0.5 * dt * normal.dot(row.velocity(now) - row.drift) +
                         0.5 * (0.5 * dt) * normal.dot(row.drift);
      row.target = dt > 0.0 ? -(gap - way) / dt : 0.0;
      if (joint.is_string && dt == 0.0 && gap > together) return;  // it hangs loose
      rows.push_back(row);
    };
    if (joint.length > 0.0) {
      // It pulls along where it is at the start, and keeps its length at the end: twice the middle
      // is the sum of both, so that the way across the middle changes no length (SHAKE).
      const double length = between.norm();
      const Vec3 along = between / length, now_along = (a.now - b.now).normalized();
      const double sign = joint.is_string ? -1.0 : 1.0;
      add(sign * along, sign * now_along, sign * (length - joint.length));
    } else {
      for (int axis = 0; axis < 3; ++axis) add(Vec3::Unit(axis), Vec3::Unit(axis), between[axis]);
    }
  }
}

}  // namespace peal::dynamics

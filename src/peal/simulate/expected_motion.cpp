#include <peal/base/rigid_body.h>
#include <peal/dynamics/keyframed_motion.h>
#include <peal/geometry/mesh/surface_query.h>
#include <peal/scene/body_mass.h>
#include <peal/scene/keyframes.h>
#include <peal/simulate/expected_motion.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace peal::simulate {

using geometry::Quat;
using geometry::Vec3;

namespace {

constexpr double step = 2e-4;      ///< [s]
constexpr int steps_per_key = 10;  ///< of the path
constexpr std::size_t most_springs = 32;

/// A pose as a transform that does not change.
scene::AnimatedTransform constant(const base::Pose& pose) {
  scene::AnimatedTransform transform;
  transform.translation = scene::constant_track(pose.position);
  transform.rotation = scene::constant_track(scene::to_track(pose.orientation));
  return transform;
}

/// The path of a body that is fastened to a frame at t = 0.
scene::MotionPath fastened(scene::MotionPath frame, const base::Pose& start) {
  const base::Pose from = dynamics::KeyframedMotion(frame).pose(0.0);
  frame.chain.push_back(
      constant({.position = from.to_local(start.position),
                .orientation = from.orientation.conjugate() * start.orientation}));
  return frame;
}

/// A soft support at one place of a rigid body.
struct Spring {
  Vec3 at, anchor;  ///< in the principal frame; in the world [m]
  double stiffness, damping;
};

/// A rigid body under strikes and on springs.
class FlyingBody {
 public:
  FlyingBody(const scene::Object& object, const base::Pose& start)
      : frame_(base::mass_frame(scene::body_mass(object))), object_(object) {
    const scene::Deformable& body = *object.deformable();
    state_ = {.position = start.to_world(frame_.centre),
              .orientation = start.orientation * frame_.axes,
              .velocity = body.velocity};
    const geometry::Mat3 turn = state_.orientation.toRotationMatrix();
    state_.angular_momentum =
        turn * frame_.moments.asDiagonal() * turn.transpose() * body.angular_velocity;
    for (const scene::SoftRegion& region : body.supports) add_springs(region, start);
  }

  base::Pose pose() const { return base::body_pose(frame_, state_); }

  /// What a strike gives to a rigid body at its place.
  void strike(const scene::Strike& strike, const geometry::SurfaceQuery& surface) {
    const geometry::SurfacePoint near = surface.closest_point(strike.at);
    const Vec3 inward = -geometry::area_vector(surface.mesh(), near.triangle).normalized();
    const base::Pose now = pose();
    const Vec3 along = now.orientation * strike.direction.value_or(inward);
    const Vec3 arm = now.to_world(near.point) - state_.position;
    double impulse = strike.impulse;
    if (strike.hammer) {
      const Vec3 turn = arm.cross(along);
      const double ease =
          1.0 / frame_.mass + turn.dot(base::inverse_inertia(frame_, state_) * turn);
      impulse = (1.0 + strike.hammer->restitution) * strike.hammer->speed /
                (ease + 1.0 / strike.hammer->mass);
    }
    state_.velocity += impulse / frame_.mass * along;
    state_.angular_momentum += arm.cross(impulse * along);
  }

  void advance() {
    const Vec3 turning = base::angular_velocity(frame_, state_);
    for (const Spring& spring : springs_) {
      const Vec3 arm = state_.orientation * spring.at;
      const Vec3 force = spring.stiffness * (spring.anchor - state_.position - arm) -
                         spring.damping * (state_.velocity + turning.cross(arm));
      state_.velocity += step / frame_.mass * force;
      state_.angular_momentum += step * arm.cross(force);
    }
    const Vec3 angle = step * base::angular_velocity(frame_, state_);
    state_.position += step * state_.velocity;
    if (angle.norm() > 0.0)
      state_.orientation =
          (Quat(Eigen::AngleAxisd(angle.norm(), angle.normalized())) * state_.orientation)
              .normalized();
  }

 private:
  void add_springs(const scene::SoftRegion& region, const base::Pose& start) {
    std::vector<Vec3> places;
    for (const Vec3& v : object_.mesh->vertices)
      if (region.box.contains(v)) places.push_back(v);
    const std::size_t stride = places.size() / most_springs + 1;
    const auto count = static_cast<double>((places.size() + stride - 1) / stride);
    // As stiff as steps can follow: stiffer ones hold the body as well.
    double ease = 0.0;
    for (const Vec3& place : places) {
      const double arm = (place - frame_.centre).norm();
      ease = std::max(ease, 1.0 / frame_.mass + arm * arm / frame_.moments.minCoeff());
    }
    const double stiffness = std::min(region.stiffness, 0.2 / (ease * step * step));
    const double damping = std::min(region.damping, 0.2 / (ease * step));
    for (std::size_t i = 0; i < places.size(); i += stride) {
      springs_.push_back({.at = frame_.axes.conjugate() * (places[i] - frame_.centre),
                          .anchor = start.to_world(places[i]),
                          .stiffness = stiffness / count,
                          .damping = damping / count});
    }
  }

  base::MassFrame frame_;
  const scene::Object& object_;
  base::RigidState state_;
  std::vector<Spring> springs_;
};

/// The path of a body that nothing holds.
scene::MotionPath flight(const scene::Scene& scene, const scene::Object& object,
                         const base::Pose& start) {
  std::vector<scene::Strike> strikes = object.strikes;
  std::ranges::sort(strikes, {}, &scene::Strike::t);
  FlyingBody body(object, start);
  const geometry::SurfaceQuery surface(*object.mesh);
  std::vector<double> times;
  std::vector<Vec3> positions;
  std::vector<Eigen::Vector4d> orientations;
  auto next = strikes.begin();
  const int steps = static_cast<int>(std::ceil(scene.duration / step));
  for (int i = 0; i <= steps; ++i) {
    const double t = i * step;
    if (i % steps_per_key == 0) {
      times.push_back(t);
      positions.push_back(body.pose().position);
      orientations.push_back(scene::to_track(body.pose().orientation));
    }
    for (; next != strikes.end() && next->t <= t; ++next) body.strike(*next, surface);
    body.advance();
  }
  scene::AnimatedTransform transform;
  transform.translation = scene::smooth_track(times, std::move(positions));
  transform.rotation = scene::smooth_track(std::move(times), std::move(orientations));
  return {.chain = {std::move(transform)}};
}

}  // namespace

scene::MotionPath expected_motion(const scene::Scene& scene, const scene::Object& object) {
  const base::Pose start = dynamics::KeyframedMotion(object.path).pose(0.0);
  const scene::Deformable& body = *object.deformable();
  if (!body.held.empty()) {
    const bool is_one = body.held.size() == 1 && body.held.front().motion;
    return is_one ? fastened(*body.held.front().motion, start) : object.path;
  }
  const bool meets_others =
      scene.objects.size() > 1 && object.contact.collision != scene::Collision::none;
  if (object.strikes.empty() &&
      (meets_others || (body.velocity == Vec3::Zero() && body.angular_velocity == Vec3::Zero())))
    return object.path;
  try {
    return flight(scene, object, start);
  } catch (const std::invalid_argument&) {
    return object.path;  // it has no mass, which the simulation reports
  }
}

}  // namespace peal::simulate

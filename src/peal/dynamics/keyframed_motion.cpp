#include <peal/dynamics/keyframed_motion.h>
#include <peal/geometry/mesh/rotation.h>
#include <peal/scene/motion_scale.h>
#include <peal/util/sort_unique.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace peal::dynamics {

using base::Pose;
using geometry::Mat3;
using geometry::Quat;
using geometry::Vec3;

KeyframedMotion::KeyframedMotion(const scene::MotionPath& path) {
  const scene::MotionScale scale = scene::motion_scale(path);
  separable_ = scale.separable;
  tail_ = scale.orientation;
  for (const scene::AnimatedTransform& transform : path.chain) {
    Link link{VectorCurve(transform.translation, Vec3::Zero()),
              RotationCurve(transform.rotation),
              VectorCurve(transform.scale, Vec3::Ones()),
              links_.size() < scale.turning,
              true,
              true};
    link.scaled = !link.scale.is_constant() || link.scale.at(0.0) != Vec3::Ones();
    link.rotated =
        !link.rotation.is_constant() || link.rotation.at(0.0).coeffs() != Quat::Identity().coeffs();
    still_ = still_ && link.translation.is_constant() && link.rotation.is_constant() &&
             link.scale.is_constant();
    links_.push_back(std::move(link));
  }
  fixed_ = evaluate(0.0);
  if (still_) return;
  find_jumps();
  find_kinks();
}

Pose KeyframedMotion::pose(double t) const {
  return still_ ? fixed_ : evaluate(t);
}

Pose KeyframedMotion::evaluate(double t) const {
  Pose pose{Vec3::Zero(), tail_};
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
    if (link->scaled) pose.position = pose.position.cwiseProduct(link->scale.at(t));
    if (link->rotated) {
      const Quat rotation = link->rotation.at(t);
      pose.position = rotation * pose.position;
      if (link->turns) pose.orientation = rotation * pose.orientation;
    }
    pose.position += link->translation.at(t);
  }
  if (!separable_) pose.orientation = sheared_orientation(t);
  return pose;
}

/// The rotation nearest to the whole product: its polar part.
Quat KeyframedMotion::sheared_orientation(double t) const {
  Mat3 linear = Mat3::Identity();
  for (const Link& link : links_) {
    linear = linear * link.rotation.at(t).toRotationMatrix() * link.scale.at(t).asDiagonal();
  }
  return Quat(geometry::nearest_rotation(linear)).normalized();
}

std::vector<double> KeyframedMotion::key_times(bool stepped) const {
  std::vector<double> times;
  const auto collect = [&](const auto& curve) {
    if (curve.is_constant()) return;
    if ((curve.interpolation() == scene::Interpolation::step) != stepped) return;
    times.insert(times.end(), curve.times().begin(), curve.times().end());
  };
  for (const Link& link : links_) {
    collect(link.translation);
    collect(link.rotation);
    collect(link.scale);
  }
  util::sort_unique(times);
  return times;
}

void KeyframedMotion::find_jumps() {
  for (const double t : key_times(true)) {
    const Pose before = evaluate(std::nextafter(t, -std::numeric_limits<double>::infinity()));
    const Pose after = evaluate(t);
    const double moved = (after.position - before.position).norm();
    const double turned = 1.0 - std::abs(after.orientation.dot(before.orientation));
    if (moved > 1e-9 || turned > 1e-12) jumps_.push_back(t);
  }
}

void KeyframedMotion::find_kinks() {
  // The second difference over +-h is (change of velocity) h + (acceleration) h^2: two of them
  // tell a kink from a curve.
  constexpr double h = 4e-5;                // [s]
  constexpr double smallest_change = 0.01;  // [m/s] of the frame and of points 1 m from it
  const base::Vec3 arms[] = {base::Vec3::Zero(), base::Vec3::UnitX(), base::Vec3::UnitY(),
                             base::Vec3::UnitZ()};
  for (const double t : key_times(false)) {
    if (std::binary_search(jumps_.begin(), jumps_.end(), t)) continue;
    const Pose at = evaluate(t);
    const Pose far[] = {evaluate(t - h), evaluate(t + h)};
    const Pose near[] = {evaluate(t - h / 4.0), evaluate(t + h / 4.0)};
    const bool bends = std::ranges::any_of(arms, [&](const base::Vec3& arm) {
      const auto second_difference = [&](const Pose* around) -> base::Vec3 {
        return around[0].to_world(arm) - 2.0 * at.to_world(arm) + around[1].to_world(arm);
      };
      const base::Vec3 change =
          (16.0 * second_difference(near) - second_difference(far)) / (3.0 * h);
      return change.norm() > smallest_change;
    });
    if (bends) kinks_.push_back(t);
  }
}

}  // namespace peal::dynamics

#include <peal/scene/keyframes.h>

#include <cmath>
#include <numbers>

namespace peal::scene {

using geometry::Quat;
using geometry::Vec3;

namespace {

constexpr double radians = std::numbers::pi / 180.0;

/// Velocity at each key of the parabola through it and its neighbours; of the line for two keys.
template <class T>
std::vector<T> parabola_velocities(const std::vector<double>& t, const std::vector<T>& x) {
  const std::size_t n = t.size();
  if (n < 2) return std::vector<T>(n, T::Zero());
  const auto slope = [&](std::size_t i) -> T { return (x[i + 1] - x[i]) / (t[i + 1] - t[i]); };
  if (n == 2) return std::vector<T>(2, slope(0));

  std::vector<T> velocity(n);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
    velocity[i] = (after * slope(i - 1) + before * slope(i)) / (before + after);
  }
  velocity.front() = 2.0 * slope(0) - velocity[1];
  velocity.back() = 2.0 * slope(n - 2) - velocity[n - 2];
  return velocity;
}

/// Quaternions q and -q are one rotation; neighbours on the same side interpolate the short way.
void align_signs(std::vector<Eigen::Vector4d>& quaternions) {
  for (std::size_t i = 1; i < quaternions.size(); ++i) {
    if (quaternions[i].dot(quaternions[i - 1]) < 0.0) quaternions[i] = -quaternions[i];
  }
}

Quat about(const Vec3& axis, double degrees) {
  return Quat(Eigen::AngleAxisd(degrees * radians, axis));
}

}  // namespace

Eigen::Vector4d to_track(const Quat& rotation) {
  return rotation.coeffs();  // Eigen stores x, y, z, w as well
}

template <class T>
Track<T> smooth_track(std::vector<double> times, std::vector<T> values) {
  if constexpr (std::is_same_v<T, Eigen::Vector4d>) align_signs(values);
  Track<T> track{Interpolation::cubic_spline, std::move(times), std::move(values), {}, {}};
  track.in_tangents = track.out_tangents = parabola_velocities(track.times, track.values);
  return track;
}

template Track<Vec3> smooth_track(std::vector<double>, std::vector<Vec3>);
template Track<Eigen::Vector4d> smooth_track(std::vector<double>, std::vector<Eigen::Vector4d>);

std::optional<double> shared_turn(const Turn& a, const Turn& b) {
  if (!a.axis || !b.axis) return {};
  if (a.degrees == 0.0) return b.degrees;
  const double cosine = a.axis->dot(*b.axis);
  if (std::abs(cosine) < 1.0 - 1e-12) return {};
  return cosine > 0.0 ? b.degrees - a.degrees : b.degrees + a.degrees;
}

int parts_of_turn(const Turn& a, const Turn& b) {
  const auto degrees = shared_turn(a, b);
  return degrees ? std::max(1, static_cast<int>(std::ceil(std::abs(*degrees) / 90.0))) : 1;
}

Track<Eigen::Vector4d> turning_track(std::span<const double> times, std::span<const Turn> turns) {
  Track<Eigen::Vector4d> track;
  const auto add = [&](double t, const Quat& rotation) {
    track.times.push_back(t);
    track.values.push_back(to_track(rotation));
  };
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const int parts = i > 0 ? parts_of_turn(turns[i - 1], turns[i]) : 1;
    for (int part = 1; part < parts; ++part) {
      const double left = 1.0 - static_cast<double>(part) / parts;
      const double degrees = turns[i].degrees - left * *shared_turn(turns[i - 1], turns[i]);
      add(times[i] - left * (times[i] - times[i - 1]), about(*turns[i].axis, degrees));
    }
    add(times[i], turns[i].rotation);
  }
  align_signs(track.values);
  return track;
}

double circle_keys(const Circle& circle, double duration) {
  return std::ceil(4.0 * std::abs(circle.revolutions_per_second) * duration) + 1.0;
}

MotionPath circle_path(const Circle& circle, double duration) {
  // The circle's own frame: X to the start, Y along the axis.
  const bool along_x = circle.axis.cross(Vec3::UnitX()).norm() < 1e-6;
  const Vec3 towards = along_x ? Vec3::UnitY() : Vec3::UnitX();
  const Vec3 start = (towards - circle.axis.dot(towards) * circle.axis).normalized();
  geometry::Mat3 frame;
  frame << start, circle.axis, start.cross(circle.axis);

  AnimatedTransform centre;
  centre.translation = constant_track(circle.centre);
  centre.rotation = constant_track(to_track(Quat(frame)));

  // A key each quarter of a turn, on which spherical interpolation is exact.
  AnimatedTransform turning;
  const double rate = circle.revolutions_per_second;
  const auto keys = rate == 0.0 ? 1 : static_cast<std::size_t>(circle_keys(circle, duration));
  for (std::size_t k = 0; k < keys; ++k) {
    const double quarters = static_cast<double>(k);
    turning.rotation.times.push_back(k == 0 ? 0.0 : quarters / (4.0 * std::abs(rate)));
    turning.rotation.values.push_back(to_track(
        about(Vec3::UnitY(), circle.start_degrees + std::copysign(90.0, rate) * quarters)));
  }
  align_signs(turning.rotation.values);

  AnimatedTransform arm;
  arm.translation = constant_track<Vec3>(circle.radius * Vec3::UnitX());
  return {{centre, turning, arm}};
}

Quat look_at(const Vec3& from, const Vec3& target) {
  const Vec3 back = (from - target).normalized();
  Vec3 right = Vec3::UnitY().cross(back);
  if (right.norm() < 1e-9) right = Vec3::UnitX();  // straight up or down
  right.normalize();
  geometry::Mat3 frame;
  frame << right, back.cross(right), back;
  return Quat(frame);
}

}  // namespace peal::scene

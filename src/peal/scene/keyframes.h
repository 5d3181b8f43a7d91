#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/scene/animation.h>

#include <optional>
#include <span>
#include <vector>

/// Motion that is written by hand, turned into tracks.
namespace peal::scene {

/// A rotation as the user wrote it. Whole turns about an axis are kept: 720 degrees is not 0.
struct Turn {
  geometry::Quat rotation = geometry::Quat::Identity();
  std::optional<geometry::Vec3> axis;  ///< unit length; empty if given as a quaternion
  double degrees = 0.0;                ///< about `axis`
};

/// A quaternion in the order of rotation tracks.
Eigen::Vector4d to_track(const geometry::Quat& rotation);

template <class T>
Track<T> constant_track(const T& value) {
  return {Interpolation::linear, {0.0}, {value}, {}, {}};
}

/// A smooth curve through the keys: cubic pieces whose velocity at each key is that of the parabola
/// through it and its neighbours (Catmull-Rom for uneven times; a parabola is reproduced exactly).
template <class T>
Track<T> smooth_track(std::vector<double> times, std::vector<T> values);

/// The shortest rotation from key to key; keys about the same axis keep their whole turns, by
/// keys in between.
Track<Eigen::Vector4d> turning_track(std::span<const double> times, std::span<const Turn> turns);

/// Degrees from `a` to `b` about b's axis, if both are about the same axis.
std::optional<double> shared_turn(const Turn& a, const Turn& b);

/// The smallest number of equal parts of the turn from `a` to `b` that are at most 90 degrees;
/// 1 if the two are not about the same axis.
int parts_of_turn(const Turn& a, const Turn& b);

/// A circle at steady speed: at 0 degrees the object is in the direction of world +X (of +Y if the
/// axis is along X), made perpendicular to the axis, and turns counter-clockwise seen against the
/// axis. It turns along: with the axis up, its -Z looks where it goes.
struct Circle {
  geometry::Vec3 centre = geometry::Vec3::Zero();  ///< [m]
  geometry::Vec3 axis = geometry::Vec3::UnitY();   ///< unit length
  double radius = 1.0;                             ///< [m]
  double revolutions_per_second = 1.0;             ///< [1/s]; negative: the other way
  double start_degrees = 0.0;                      ///< at t = 0
};

/// Path along a circle, exact at every time in [0, duration]: a turning frame about the centre, and
/// an arm.
MotionPath circle_path(const Circle& circle, double duration);
/// Number of keys that circle_path() takes.
double circle_keys(const Circle& circle, double duration);

/// Orientation at `from` that looks along -Z to `target`, +Y as far up as it goes. Straight up or
/// down, the top of the head points to +Z or -Z. The two points must differ.
geometry::Quat look_at(const geometry::Vec3& from, const geometry::Vec3& target);

}  // namespace peal::scene

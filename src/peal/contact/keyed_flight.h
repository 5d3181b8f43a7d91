#pragma once

#include <peal/base/motion.h>
#include <peal/contact/contact_forces.h>
#include <peal/contact/nearest_points.h>

#include <Eigen/Geometry>

/// How two keyed bodies come together and part: for inferred_contacts.cpp.
namespace peal::contact {

using base::Pose;
using base::Vec3;

/// The motion of a body between keys that sample it: a parabola, and an even rotation.
struct Flight {
  double time = 0.0;                 ///< [s]
  Pose pose;                         ///< then
  Vec3 velocity = Vec3::Zero();      ///< then [m/s]
  Vec3 acceleration = Vec3::Zero();  ///< [m/s^2]
  Vec3 spin = Vec3::Zero();          ///< world [rad/s]

  Vec3 velocity_at(double t) const { return velocity + (t - time) * acceleration; }
  Pose at(double t) const {
    const double s = t - time, angle = s * spin.norm();
    Pose result = pose;
    result.position += s * (velocity + 0.5 * s * acceleration);
    if (angle != 0.0) {
      const geometry::Quat turn(Eigen::AngleAxisd(angle, s * spin / angle));
      result.orientation = turn * pose.orientation;
    }
    return result;
  }
};

/// Angular velocity of a rotation within a time [rad/s].
inline Vec3 spin_between(const Pose& from, const Pose& to, double time) {
  const Eigen::AngleAxisd turn(to.orientation * from.orientation.conjugate());
  return turn.angle() / time * turn.axis();
}

/// Both bodies of a pair.
struct Poses {
  Pose a, b;
};
struct Flights {
  Flight a, b;
  Poses at(double t) const { return {a.at(t), b.at(t)}; }
};

/// Two bodies begin to touch.
struct FirstTouch {
  double time;  ///< [s]
  Poses poses;  ///< then
  NearestPoints where;
};

/// How the gap opens or closes from `time` on: its value, slope and bend.
struct GapPath {
  double time, gap, slope, bend;  ///< [s], [m], [m/s], [m/s^2]

  double at(double t) const { return gap + (t - time) * (slope + 0.5 * bend * (t - time)); }
  double slope_at(double t) const { return slope + bend * (t - time); }
};

/// The gap between the points at which two bodies touch, along the normal there, at any time.
class GapOverTime {
 public:
  GapOverTime(const ContactBody& a, const ContactBody& b, const FirstTouch& touch)
      : a_(*a.motion),
        b_(*b.motion),
        touch_(touch),
        on_a_(place(a, touch.poses.a)),
        on_b_(place(b, touch.poses.b)) {
    offset_ = touch.where.gap - distance(touch.poses);
  }

  double operator()(double t) const { return offset_ + distance({a_.pose(t), b_.pose(t)}); }

  /// How fast it opens in a flight, at the touch [m/s].
  double slope(const Flights& flights) const {
    const auto velocity = [&](const Flight& flight, const Pose& pose, const Vec3& on_body) -> Vec3 {
      return flight.velocity_at(touch_.time) + flight.spin.cross(pose.orientation * on_body);
    };
    return touch_.where.normal.dot(velocity(flights.a, touch_.poses.a, on_a_) -
                                   velocity(flights.b, touch_.poses.b, on_b_));
  }

 private:
  /// In the body's frame. What is hit towards its centre does not turn in or out of the contact,
  /// and the centre shows its path better: another point of a spinning ball is always the lowest.
  Vec3 place(const ContactBody& body, const Pose& pose) const {
    const Vec3 local = pose.to_local(touch_.where.point);
    const Vec3 arm = local - body.mass.centre;
    const Vec3 normal = pose.orientation.conjugate() * touch_.where.normal;
    return arm.cross(normal).norm() < 0.1 * arm.norm() ? body.mass.centre : local;
  }

  double distance(const Poses& poses) const {
    return touch_.where.normal.dot(poses.a.to_world(on_a_) - poses.b.to_world(on_b_));
  }

  const base::Motion &a_, &b_;
  const FirstTouch& touch_;
  Vec3 on_a_, on_b_;  ///< body's frame [m]
  double offset_ = 0.0;
};

/// An impact, and how the bodies go on.
struct Meeting {
  FirstTouch touch;
  Vec3 slip;             ///< velocity of a along b before it [m/s]
  double before, after;  ///< slopes of the gap [m/s]
  double parted;         ///< time from which the keys follow the motion after it [s]
  Flights flights;       ///< after it
};

}  // namespace peal::contact

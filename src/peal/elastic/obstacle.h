#pragma once

#include <peal/base/motion.h>
#include <peal/base/rigid_body.h>
#include <peal/base/rigid_contacts.h>
#include <peal/base/signed_distance.h>
#include <peal/geometry/mesh/vector.h>
#include <peal/util/archive.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace peal::elastic {

/// Something rigid that solids meet: moved as it is reported, or free.
struct Obstacle {
  std::string name;
  std::shared_ptr<const base::SignedDistance> shape;    ///< in its own frame
  std::optional<double> ball_radius = {};               ///< if it is a ball [m]
  geometry::Vec3 ball_centre = geometry::Vec3::Zero();  ///< in its own frame [m]
  /// The second of its three sizes: what is narrower than faces is met where they are deepest [m].
  double width = std::numeric_limits<double>::infinity();
  /// The least of them: of what is thinner than faces, edges are met by parts of faces [m].
  double thickness = std::numeric_limits<double>::infinity();
  geometry::Vec3 thin_axis = geometry::Vec3::UnitX();  ///< along which, in its own frame
  double compliance = 0.0;                             ///< [1/Pa]
  double friction = 0.4;                               ///< mu [1]
  /// One of its points, in its own frame [m]: none is in a solid if no face is in the obstacle and
  /// this one is not in the solid.
  geometry::Vec3 point = geometry::Vec3::Zero();

  std::shared_ptr<const base::Motion> motion = {};  ///< null: free
  // Of a free one:
  base::MassFrame mass = {};
  base::RigidState start = {};
  double reach = 0.0;  ///< of its points from its origin, at most [m]
};

/// An obstacle where it is now. A free one gathers the forces on it and moves by them.
class MovingObstacle {
 public:
  explicit MovingObstacle(Obstacle obstacle);

  const Obstacle& obstacle() const { return obstacle_; }
  bool is_free() const { return obstacle_.motion == nullptr; }
  const base::Pose& pose() const { return pose_; }
  const base::RigidState& state() const { return state_; }  ///< of a free one
  double speed() const { return speed_; }                   ///< of any of its points, at most [m/s]

  /// Of a point in the world from its surface, negative inside [m]; `normal` becomes the gradient
  /// in the obstacle's frame, which direction() takes to the world.
  double distance(const geometry::Vec3& at, geometry::Vec3& normal) const {
    return obstacle_.shape->distance(pose_.to_local(at), normal);
  }
  geometry::Vec3 direction(const geometry::Vec3& local) const { return pose_.orientation * local; }
  /// Of a point in the world that moves with `velocity` against the obstacle there [m/s].
  geometry::Vec3 relative_velocity(const geometry::Vec3& velocity, const geometry::Vec3& at) const {
    return velocity - velocity_ - turning_.cross(at - pose_.position);
  }

  /// Takes its pose and velocity at a time [s].
  void place(double t);
  /// A free one is pushed there by a force [N].
  void push(const geometry::Vec3& at, const geometry::Vec3& force);
  /// The forces on a free one, and gravity [m/s^2], change its velocity for `dt` [s].
  void kick(double dt, const geometry::Vec3& gravity);
  /// A free one moves on by `dt` [s], and forgets the forces.
  void drift(double dt);

  /// What base::RigidContacts are asked with and answer.
  base::MovedBody moved() const { return {state_, pushed_}; }
  void take(const base::MovedBody& moved);

  /// Of a free one: kinetic, and of height under gravity [J].
  double energy(const geometry::Vec3& gravity) const;
  void serialize(util::Archive& archive);

 private:
  Obstacle obstacle_;
  base::Pose pose_;
  bool is_placed_ = false;
  geometry::Vec3 velocity_ = geometry::Vec3::Zero();  ///< of its origin [m/s]
  geometry::Vec3 turning_ = geometry::Vec3::Zero();   ///< [rad/s]
  base::RigidState state_;                            ///< of a free one
  geometry::Vec3 force_ = geometry::Vec3::Zero(), torque_ = geometry::Vec3::Zero();
  double speed_ = 0.0;
  double pushed_ = 0.0;  ///< base::MovedBody, since obstacles last met [m/s^2]
};

}  // namespace peal::elastic

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

/// A rigid body that solids touch: with prescribed motion, or free.
struct Obstacle {
  std::string name;
  std::shared_ptr<const base::SignedDistance> shape;    ///< in its own frame
  std::optional<double> ball_radius = {};               ///< present if the shape is a ball [m]
  geometry::Vec3 ball_centre = geometry::Vec3::Zero();  ///< in its own frame [m]
  /// The second largest of its three sizes [m]. Faces larger than it are sampled at their deepest
  /// point.
  double width = std::numeric_limits<double>::infinity();
  /// The least of its three sizes [m]. Faces larger than it are divided so that edges cannot pass.
  double thickness = std::numeric_limits<double>::infinity();
  geometry::Vec3 thin_axis = geometry::Vec3::UnitX();  ///< axis of the thickness, in its own frame
  double compliance = 0.0;                             ///< [1/Pa]
  double friction = 0.4;                               ///< mu [1]
  /// One of its points, in its own frame [m], for overlap tests: no part of the obstacle is in a
  /// solid if no face is in the obstacle and this point is not in the solid.
  geometry::Vec3 point = geometry::Vec3::Zero();

  std::shared_ptr<const base::Motion> motion = {};  ///< null: free
  // Free obstacles only:
  base::MassFrame mass = {};
  base::RigidState start = {};
  double reach = 0.0;  ///< largest distance of its points from its origin [m]
};

/// An obstacle in its present pose. A free obstacle sums the forces on it and is moved by them.
class MovingObstacle {
 public:
  explicit MovingObstacle(Obstacle obstacle);

  const Obstacle& obstacle() const { return obstacle_; }
  bool is_free() const { return obstacle_.motion == nullptr; }
  const base::Pose& pose() const { return pose_; }
  const base::RigidState& state() const { return state_; }  ///< state of a free obstacle
  double speed() const { return speed_; }  ///< upper bound for all of its points [m/s]

  /// Signed distance of a point in the world from the surface, negative inside [m]. `normal`
  /// becomes the gradient in the obstacle's frame, which direction() rotates to the world.
  double distance(const geometry::Vec3& at, geometry::Vec3& normal) const {
    return obstacle_.shape->distance(pose_.to_local(at), normal);
  }
  geometry::Vec3 direction(const geometry::Vec3& local) const { return pose_.orientation * local; }
  /// Velocity of a point in the world that moves with `velocity`, relative to the obstacle there
  /// [m/s].
  geometry::Vec3 relative_velocity(const geometry::Vec3& velocity, const geometry::Vec3& at) const {
    return velocity - velocity_ - turning_.cross(at - pose_.position);
  }

  /// Sets pose and velocity to those of the prescribed motion at time `t` [s].
  void place(double t);
  /// Applies a force [N] to a free obstacle at a point in the world [m].
  void push(const geometry::Vec3& at, const geometry::Vec3& force);
  /// Updates the velocity of a free obstacle by its forces and gravity [m/s^2] over `dt` [s].
  void kick(double dt, const geometry::Vec3& gravity);
  /// Moves a free obstacle on by `dt` [s], and clears its forces.
  void drift(double dt);

  /// State that is passed to base::RigidContacts, and taken back from there.
  base::MovedBody moved() const { return {state_, pushed_}; }
  void take(const base::MovedBody& moved);

  /// Kinetic and gravitational energy of a free obstacle [J].
  double energy(const geometry::Vec3& gravity) const;
  void serialize(util::Archive& archive);

 private:
  Obstacle obstacle_;
  base::Pose pose_;
  bool is_placed_ = false;
  geometry::Vec3 velocity_ = geometry::Vec3::Zero();  ///< velocity of its origin [m/s]
  geometry::Vec3 turning_ = geometry::Vec3::Zero();   ///< [rad/s]
  base::RigidState state_;                            ///< state of a free obstacle
  geometry::Vec3 force_ = geometry::Vec3::Zero(), torque_ = geometry::Vec3::Zero();
  double speed_ = 0.0;
  double pushed_ = 0.0;  ///< as in base::MovedBody, since the last resolved contacts [m/s^2]
};

}  // namespace peal::elastic

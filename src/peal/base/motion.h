#pragma once

#include <peal/geometry/mesh/vector.h>

#include <span>

namespace peal::base {

using geometry::Quat;
using geometry::Vec3;

/// Position and orientation of a body's frame in the world.
struct Pose {
  Vec3 position = Vec3::Zero();  ///< [m]
  Quat orientation = Quat::Identity();

  Vec3 to_world(const Vec3& local) const { return position + orientation * local; }
  Vec3 to_local(const Vec3& world) const { return orientation.conjugate() * (world - position); }
};

/// The motion of a frame. It is defined for every time: before its first key and after its last key
/// the frame rests.
class Motion {
 public:
  virtual ~Motion() = default;

  virtual Pose pose(double t) const = 0;  ///< t [s] on the scene's clock

  /// True if pose() is the same for all t, which allows shortcuts.
  virtual bool is_still() const = 0;

  /// Times [s], ascending, at which the pose jumps (a cut, a teleport); pose(jump) is the pose
  /// after the jump.
  virtual std::span<const double> jumps() const { return {}; }

  /// Times [s], ascending, at which the velocity jumps but the pose does not, such as the keys of a
  /// linearly interpolated animation curve.
  virtual std::span<const double> kinks() const { return {}; }
};

/// A frame that does not move.
class Resting : public Motion {
 public:
  explicit Resting(const Vec3& position = Vec3::Zero()) : pose_{.position = position} {}
  explicit Resting(const Pose& pose) : pose_(pose) {}

  Pose pose(double) const override { return pose_; }
  bool is_still() const override { return true; }

 private:
  Pose pose_;
};

/// The motion of the vertices of a surface within its body's frame (cloth, shells, characters).
class Deformation {
 public:
  virtual ~Deformation() = default;

  /// Positions [m] of all vertices at time t [s]; `out` has one entry per vertex.
  virtual void vertices(double t, std::span<Vec3> out) const = 0;

  /// Validates all data that vertices() may need; throws InputError if something is wrong.
  virtual void check() const {}
};

}  // namespace peal::base

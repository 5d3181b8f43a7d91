#pragma once

#include <peal/dynamics/rigid_world.h>

#include <memory>
#include <numbers>
#include <span>
#include <vector>

/// Bodies that tests let fall, and what they then hear.
namespace peal::dynamics {

using std::numbers::pi;

inline constexpr double earth_gravity = 9.81;

inline RigidBodySettings floor_of(double friction, double restitution, double slope = 0.0) {
  base::Pose pose;
  pose.orientation = Quat(Eigen::AngleAxisd(-slope, Vec3::UnitZ()));  // down towards +x
  return {.name = "floor",
          .shape = scene::FloorShape{},
          .friction = friction,
          .restitution = restitution,
          .motion = std::make_shared<base::Resting>(pose)};
}

inline geometry::MassProperties mass_of(double mass, const Vec3& moments) {
  return {.mass = mass, .inertia = moments.asDiagonal()};
}

inline RigidBodySettings ball(double radius, double friction, double restitution, const Vec3& at) {
  RigidBodySettings body{.name = "ball",
                         .shape = scene::BallShape{radius},
                         .friction = friction,
                         .restitution = restitution,
                         .mass = mass_of(0.2, Vec3::Constant(0.4 * 0.2 * radius * radius))};
  body.pose.position = at;
  return body;
}

inline scene::CollisionShape disc(double radius, double height, double fillet) {
  const double h = 0.5 * height;
  return scene::TurnedShape{.section = {{0, -h}, {radius, -h}, {radius, h}, {0, h}},
                            .fillet = fillet};
}

inline RigidBodySettings box(const Vec3& size, double friction, double restitution) {
  const double m = 0.05;
  const Vec3 s = size.cwiseAbs2();
  return {.name = "box",
          .shape = scene::BoxShape{size, 5e-4},
          .friction = friction,
          .restitution = restitution,
          .mass = mass_of(m, m / 12.0 * Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()))};
}

/// A floor that rises at 1 m/s and passes y = 0 at 0.1 s.
inline RigidBodySettings rising_floor() {
  class Rising : public base::Motion {
   public:
    base::Pose pose(double t) const override { return {.position = {0, t - 0.1, 0}}; }
    bool is_still() const override { return false; }
  };
  RigidBodySettings lift = floor_of(0.0, 1.0);
  lift.motion = std::make_shared<Rising>();
  return lift;
}

/// One that is cut to half a metre higher at 0.1 s.
inline RigidBodySettings cut_floor() {
  class Cut : public base::Motion {
   public:
    base::Pose pose(double t) const override { return {.position = {0, t < 0.1 ? -1.0 : -0.5, 0}}; }
    bool is_still() const override { return false; }
    std::span<const double> jumps() const override { return std::span(&at_, 1); }

   private:
    double at_ = 0.1;
  };
  RigidBodySettings lift = floor_of(0.0, 1.0);
  lift.motion = std::make_shared<Cut>();
  return lift;
}

inline void run(RigidSolver& world, double until) {
  while (world.time() < until - 1e-9) world.step();
}

inline std::vector<base::ContactRecord> blows(const RigidSolver& world) {
  std::vector<base::ContactRecord> result;
  for (const base::ContactRecord& record : world.log().records) {
    if (record.duration == 0.0) result.push_back(record);
  }
  return result;
}

}  // namespace peal::dynamics

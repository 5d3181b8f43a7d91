#pragma once

#include <peal/dynamics/rigid_solver.h>

#include <memory>
#include <vector>

namespace peal::dynamics {

/// Rigid bodies simulated by Bullet (double precision): for big piles, and to check RigidWorld by.
///
/// Bullet looks for contacts once a step, where bodies overlap already, and finds all impulses
/// together. What is told of an impact is set right for that: its instant by how deep the bodies
/// are, the rebound by what gravity did since. Positions and velocities are half a step apart, so
/// that free flight is exact; velocity(), angular_velocity() and energy() are those in the middle
/// of the last step. Instants are good to second order in the step, and what is thinner than the
/// way of a step can be passed through.
///
/// docs/decisions/rigid-bodies.md compares the two solvers.
class BulletWorld : public RigidSolver {
 public:
  /// Throws as make_rigid_solver() does.
  BulletWorld(std::vector<RigidBodySettings> bodies, const RigidSettings& settings);
  ~BulletWorld() override;

  void step(const Moved& moved = moved_nothing) override;
  double time() const override;
  base::Pose pose(std::size_t body) const override;
  Vec3 velocity(std::size_t body) const override;
  Vec3 angular_velocity(std::size_t body) const override;
  double energy() const override;
  const base::ContactLog& log() const override;
  double rest_impulse() const override;

 private:
  class Impl;  ///< knows Bullet
  std::unique_ptr<Impl> impl_;
};

}  // namespace peal::dynamics

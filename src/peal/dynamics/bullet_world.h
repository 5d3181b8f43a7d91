#pragma once

#include <peal/dynamics/rigid_solver.h>

#include <memory>
#include <vector>

namespace peal::dynamics {

/// Rigid bodies simulated by Bullet (double precision), for big piles and to check RigidWorld.
///
/// Bullet detects contacts once a step, when bodies overlap already, and solves for all impulses
/// together. Reports of impacts are corrected for that: the time by the depth of the overlap, the
/// rebound by the effect of gravity since. Positions and velocities are half a step apart, so that
/// free flight is exact; velocity(), angular_velocity() and energy() are those in the middle of the
/// last step. Times of impacts are accurate to second order in the step. Bodies can pass through
/// objects that are thinner than the distance they move in a step.
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
  class Impl;  ///< hides Bullet
  std::unique_ptr<Impl> impl_;
};

}  // namespace peal::dynamics

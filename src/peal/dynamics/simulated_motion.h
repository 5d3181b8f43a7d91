#pragma once

#include <peal/base/contact.h>
#include <peal/base/motion.h>
#include <peal/dynamics/rigid_solver.h>
#include <peal/util/archive.h>
#include <peal/util/progress.h>

#include <memory>
#include <vector>

namespace peal::dynamics {

/// The path of a simulated body, with constant velocity and angular velocity between poses that are
/// a step apart or less, at rest before the first and after the last.
class SimulatedMotion : public base::Motion {
 public:
  void add(double t, const base::Pose& pose);  ///< t [s], not before the last one
  void add_kink(double t) { kinks_.push_back(t); }

  base::Pose pose(double t) const override;
  bool is_still() const override { return keys_.size() < 2; }
  /// Writes or reads the path.
  void serialize(util::Archive& archive);
  /// Times of impacts.
  std::span<const double> kinks() const override { return kinks_; }

 private:
  struct Key {
    double t;  ///< [s]
    base::Pose pose;
  };

  std::vector<Key> keys_;
  std::vector<double> kinks_;
};

/// Result of a simulation of rigid bodies.
struct RigidSimulation {
  std::vector<std::shared_ptr<const base::Motion>> motions;  ///< one a body, in their order
  base::ContactLog log;
  double rest_impulse = 0.0;  ///< of contacts at rest, which the log leaves out [N s]
  /// Kinetic and gravitational energy of all free bodies at the start, and at the end; the kinetic
  /// part of the latter [J].
  double energy_before = 0.0, energy_after = 0.0, kinetic_after = 0.0;
};

/// Simulates from 0 to `duration` [s].
RigidSimulation simulate(std::vector<RigidBodySettings> bodies, const RigidSettings& settings,
                         double duration, util::Progress& progress);

}  // namespace peal::dynamics

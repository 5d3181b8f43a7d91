#pragma once

#include <peal/dynamics/contact_cache.h>
#include <peal/dynamics/contact_recorder.h>
#include <peal/dynamics/contact_rows.h>
#include <peal/dynamics/islands.h>
#include <peal/dynamics/joint_constraints.h>
#include <peal/dynamics/rigid_bodies.h>

#include <span>
#include <vector>

namespace peal::dynamics {

/// Which approaches are impacts; slower ones are left to contacts that last.
class ImpactThreshold {
 public:
  /// All arguments must outlive it.
  ImpactThreshold(const RigidBodies& bodies, const StepClock& clock, const ContactCache& cache,
                  const RigidSettings& settings)
      : bodies_(bodies), clock_(clock), cache_(cache), least_(slowest_bounce(settings)) {}

  double least() const { return least_; }  ///< anywhere [m/s]
  /// At a touch [m/s]. Where a body rolls, the point of contact moves on to parts of the surface
  /// that came down meanwhile, by the turning times the way that it moved: that does not bounce.
  double at(const ContactPoint& contact_point) const;
  /// Whether a touch that closes with a speed [m/s] bounces.
  bool is_impact(const ContactPoint& contact_point, double speed) const {
    return speed > least_ && speed > at(contact_point);
  }

 private:
  const RigidBodies& bodies_;
  const StepClock& clock_;
  const ContactCache& cache_;
  double least_;
};

/// The impacts of an island: when they come, and how its bodies leave them.
///
/// Newton's restitution with Coulomb's friction, for all touches at once. Impacts never add energy,
/// and go from pair to pair of bodies, as the wave in the bodies does.
class ImpactSolver {
 public:
  /// All arguments must outlive it.
  ImpactSolver(RigidBodies& bodies, const StepClock& clock, const JointConstraints& joints,
               const ImpactThreshold& threshold, ContactRecorder& recorder)
      : bodies_(bodies),
        clock_(clock),
        joints_(joints),
        threshold_(threshold),
        recorder_(recorder) {}

  /// The impact of a touch.
  struct Impact {
    Vec3 impulse = Vec3::Zero();   ///< [N s]
    Vec3 velocity = Vec3::Zero();  ///< of a against b before it [m/s]
    bool is_passed_on = false;     ///< it lay still, or was struck again
    double delay = 0.0;            ///< from now until they meet [s]
  };
  struct Result {
    std::size_t meetings = 0;     ///< of touches; those that were struck again count again
    std::vector<Impact> impacts;  ///< one a touch
  };

  /// The time until the next impact, at most `left` [s].
  double time_until_impact(std::span<const ContactPoint> contact_points, double left) const;
  /// Resolves all impacts of this instant; false if there are none. With `at_once`, those that come
  /// before any time passes are of this instant, too.
  bool resolve_now(const Island& island, std::span<const ContactPoint> contact_points,
                   bool at_once);
  /// Resolves now all impacts that come within a time [s].
  Result resolve_within(const Island& island, const std::vector<ContactPoint>& contact_points,
                        double within);

 private:
  double time_of_impact(const ContactPoint& contact_point, const Vec3& velocity) const;
  double impact_speed(const ContactPoint& contact_point,
                      std::span<const BodyMomentum> momenta) const;
  std::vector<std::size_t> meeting(const std::vector<ContactPoint>& contact_points, double within,
                                   std::span<const double> last_struck,
                                   std::vector<Impact>& impacts) const;
  std::vector<ContactRow> bounced(const Island& island,
                                  std::span<const ContactPoint> contact_points, double restitution,
                                  std::span<BodyMomentum> momenta) const;
  std::vector<Impact> bounce(const Island& island, std::span<const ContactPoint> contact_points);
  void record(const ContactPoint& contact_point, const Impact& impact);

  RigidBodies& bodies_;
  const StepClock& clock_;
  const JointConstraints& joints_;
  const ImpactThreshold& threshold_;
  ContactRecorder& recorder_;
};

}  // namespace peal::dynamics

#pragma once

#include <peal/base/force_history.h>
#include <peal/base/force_pulse.h>
#include <peal/base/sustained_force.h>
#include <peal/geometry/mesh/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace peal::base {

using geometry::Vec3;

/// Two bodies that touch at one point, as a simulation reports it: an impact, or one step of
/// sustained contact.
struct ContactRecord {
  double time = 0.0;                     ///< beginning, on the scene's clock [s]
  std::uint32_t body_a = 0, body_b = 0;  ///< indices into ContactLog::bodies, never equal
  Vec3 point = Vec3::Zero();             ///< world [m]
  Vec3 normal = Vec3::UnitY();           ///< world, unit length, out of b towards a
  Vec3 impulse = Vec3::Zero();  ///< impulse of b on a, world [N s]; that of a on b is the opposite
  /// Velocity of a relative to b at the point, just before contact, world [m/s].
  Vec3 velocity = Vec3::Zero();
  double duration = 0.0;  ///< time over which the impulse acts [s]; 0 for an impact
  double rolling = 0.0;   ///< speed of the point of contact over the surface of a [m/s]
  /// Force of b on a in the course of the impact, in world directions, if an impact law found it:
  /// it begins at `time` or later and has the impulse. Null: not known.
  std::shared_ptr<const ForceHistory> force = nullptr;
};

/// Two bodies that lie against each other at one point: neither slips or rolls over the other.
struct RestingContact {
  double begin = 0.0, end = 0.0;         ///< [s]
  std::uint32_t body_a = 0, body_b = 0;  ///< indices into the log's bodies
  Vec3 point = Vec3::Zero();             ///< world, at `begin` [m]
  Vec3 normal = Vec3::UnitY();           ///< world, unit length, out of b towards a
  double impulse = 0.0;                  ///< along the normal, over the whole time [N s]

  double load() const { return end > begin ? impulse / (end - begin) : 0.0; }  ///< mean [N]
};

/// All contacts of a simulation (docs/contact-log.md).
struct ContactLog {
  std::vector<std::string> bodies;
  double step = 0.0;  ///< time step of the simulation [s]
  std::vector<ContactRecord> records;
  std::vector<RestingContact> rests;  ///< contacts at rest, which `records` leaves out
};

/// One impact of two bodies, merged from any number of records.
struct Impact {
  double time = 0.0;                                    ///< time of first contact [s]
  std::uint32_t body_a = 0, body_b = 0;                 ///< body_a < body_b
  Vec3 point = Vec3::Zero();                            ///< world [m]
  Vec3 normal = Vec3::UnitY();                          ///< world, unit length, out of b towards a
  Vec3 impulse = Vec3::Zero();                          ///< impulse of b on a, world [N s]
  double speed = 0.0;                                   ///< approach speed along the normal [m/s]
  std::shared_ptr<const ForceHistory> force = nullptr;  ///< as in its record; null: not known
};

/// The contact force of one impact on one body.
struct ContactForce {
  ForcePulse pulse;
  Vec3 at = Vec3::Zero();          ///< body's frame [m]
  Vec3 direction = Vec3::UnitY();  ///< body's frame, unit length
  /// The force in the body's frame, if an impact law found it; `pulse` then has its start, its
  /// length and its impulse, which is along `direction`. Null: the pulse is all.
  std::shared_ptr<const ForceHistory> history = nullptr;
};

/// The force of an impact as its history gives it, at a point of the body's frame [m].
ContactForce contact_force(std::shared_ptr<const ForceHistory> history, const Vec3& at);

/// What the vibration of a body meets where it lies, slides or rolls on another for a while.
struct LastingContact {
  double begin = 0.0, end = 0.0;  ///< [s]
  Vec3 at = Vec3::Zero();         ///< body's frame [m]
  Vec3 normal = Vec3::UnitY();    ///< body's frame, unit length
  double load = 0.0;              ///< mean force along the normal [N]
  double stiffness = 0.0;         ///< of the contact under this load [N/m]
  double restitution = 0.5;       ///< of the surfaces that touch [1]
  /// At which both bodies move as rigid ones, for a force along the normal [1/kg].
  double inverse_mass = 0.0;
  double mobility = 0.0;  ///< of waves into the other body, and of its modes in the mean [m/(N s)]
};

/// Contact that lasts: one point of a body slides or rolls on another.
struct ContactInterval {
  /// One record of the contact log.
  struct Step {
    double time = 0.0, duration = 0.0;  ///< [s]
    double load = 0.0;                  ///< force along the normal [N]
    double speed = 0.0;              ///< speed of the surfaces relative to the contact point [m/s]
    double slip = 0.0;               ///< speed of the surfaces relative to each other [m/s]
    Vec3 point = Vec3::Zero();       ///< world [m]
    Vec3 normal = Vec3::UnitY();     ///< world, out of b towards a
    Vec3 direction = Vec3::UnitY();  ///< direction of the force on a, friction included

    double end() const { return time + duration; }
  };

  double begin = 0.0, end = 0.0;         ///< [s]
  std::uint32_t body_a = 0, body_b = 0;  ///< body_a < body_b
  double impulse = 0.0;                  ///< total impulse along the normal [N s]
  double slid = 0.0, rolled = 0.0;       ///< path length of the contact point [m]
  std::vector<Step> path;                ///< in order of time
};

/// How the records were classified. Impulses are sums of magnitudes, so that those of the three
/// kinds add up to the total.
struct EventReport {
  std::size_t records = 0;
  std::size_t merged = 0;      ///< records merged into the impact of another record
  std::size_t continuous = 0;  ///< records of sliding and rolling
  std::size_t dropped = 0;     ///< records of resting contact and of inaudibly slow impacts
  double impact_impulse = 0.0, continuous_impulse = 0.0, dropped_impulse = 0.0;  ///< [N s]
  /// Time step inferred from the records of a log that does not state it [s]; 0: unknown.
  double found_step = 0.0;
};

struct ContactEvents {
  std::vector<Impact> impacts;             ///< in order of time
  std::vector<ContactInterval> intervals;  ///< in order of their beginnings
  std::vector<RestingContact> rests;       ///< in order of their beginnings
  EventReport report;
};

}  // namespace peal::base

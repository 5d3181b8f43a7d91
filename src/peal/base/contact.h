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

/// One record of a contact log: two bodies touch at one point, in an impact or in one step of a
/// sustained contact.
struct ContactRecord {
  double time = 0.0;                     ///< when it begins, on the scene's clock [s]
  std::uint32_t body_a = 0, body_b = 0;  ///< of ContactLog::bodies, two different ones
  Vec3 point = Vec3::Zero();             ///< world [m]
  Vec3 normal = Vec3::UnitY();           ///< world, unit length, out of b towards a
  Vec3 impulse = Vec3::Zero();           ///< that b gives a, world [N s]; a gives b the opposite
  Vec3 velocity = Vec3::Zero();          ///< of a's point less that of b's just before, world [m/s]
  double duration = 0.0;                 ///< that the impulse was spread over [s]; 0: an impact
  double rolling = 0.0;  ///< speed of the point of contact over the surface of a [m/s]
};

/// Everything that touched in a simulation (docs/contact-log.md).
struct ContactLog {
  std::vector<std::string> bodies;
  double step = 0.0;  ///< of the simulation [s]
  std::vector<ContactRecord> records;
};

/// Two bodies meet: one impact, from whatever number of records.
struct Impact {
  double time = 0.0;                     ///< of the first touch [s]
  std::uint32_t body_a = 0, body_b = 0;  ///< body_a < body_b
  Vec3 point = Vec3::Zero();             ///< world [m]
  Vec3 normal = Vec3::UnitY();           ///< world, unit length, out of b towards a
  Vec3 impulse = Vec3::Zero();           ///< that b gives a, world [N s]
  double speed = 0.0;                    ///< of the approach along the normal [m/s]
};

/// A force on a body while something touches it.
struct ContactForce {
  ForcePulse pulse;
  Vec3 at = Vec3::Zero();          ///< body's frame [m]
  Vec3 direction = Vec3::UnitY();  ///< body's frame, unit length
  /// The force in the body's frame, if an impact law found it; `pulse` then has its start, its
  /// length and its impulse, which is along `direction`. Null: the pulse is all.
  std::shared_ptr<const ForceHistory> history = nullptr;
};

/// The contact force of an impact with this history, at a point of the body's frame [m].
ContactForce contact_force(std::shared_ptr<const ForceHistory> history, const Vec3& at);

/// A sustained contact: one point of a body slides or rolls on another.
struct ContactInterval {
  /// One step of the simulation, as its record has it.
  struct Step {
    double time = 0.0, duration = 0.0;  ///< [s]
    double load = 0.0;                  ///< force along the normal [N]
    double speed = 0.0;                 ///< at which the surfaces pass the contact [m/s]
    Vec3 point = Vec3::Zero();          ///< world [m]
    Vec3 normal = Vec3::UnitY();        ///< world, out of b towards a
    Vec3 direction = Vec3::UnitY();     ///< of the force on a, friction included

    double end() const { return time + duration; }
  };

  double begin = 0.0, end = 0.0;         ///< [s]
  std::uint32_t body_a = 0, body_b = 0;  ///< body_a < body_b
  double impulse = 0.0;                  ///< along the normal, in all [N s]
  double slid = 0.0, rolled = 0.0;       ///< way of the point of contact [m]
  std::vector<Step> path;                ///< by time
};

/// The number of records of each kind and their impulses. Impulses are sums of magnitudes: those
/// of the three kinds add up to that of all.
struct EventReport {
  std::size_t records = 0;
  std::size_t merged = 0;      ///< records that joined the impact of another
  std::size_t continuous = 0;  ///< records of sliding and rolling
  std::size_t dropped = 0;     ///< records of rest, and of impacts too slow to make a sound
  double impact_impulse = 0.0, continuous_impulse = 0.0, dropped_impulse = 0.0;  ///< [N s]
  double found_step = 0.0;  ///< of a log that names none, from its records [s]; 0: not found
};

struct ContactEvents {
  std::vector<Impact> impacts;             ///< by time
  std::vector<ContactInterval> intervals;  ///< by begin
  EventReport report;
};

}  // namespace peal::base

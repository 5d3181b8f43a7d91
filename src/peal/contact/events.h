#pragma once

#include <peal/base/contact.h>

#include <cstddef>
#include <vector>

/// Engines tell contacts step by step, one blow in many records; sound needs events.
namespace peal::contact {

using base::Vec3;

struct EventSettings {
  /// Slower blows are not heard by themselves (v_min of Chadwick et al. 2012, section 4.3) [m/s].
  double min_speed = 0.05;
  /// What moves slower along the surface is at rest [m/s].
  double slide_speed = 0.01;
  /// Records of one pair this soon after the first of a blow belong to it, as engines split it: at
  /// least this [s], and two further steps of the engine.
  double merge_time = 1e-4;
  double merge_distance = 0.002;  ///< corners farther apart than this strike by themselves [m]
  /// A contact that is gone for longer has ended [s]; at least two steps of the engine.
  double gap_time = 0.002;
  /// What engines add to the velocity of a body in every step before they solve its contacts, also
  /// if it rests [m/s^2].
  double gravity = 9.81;
  /// A log that names no step, or no durations, may still be told step by step: its records show
  /// them. Not for logs whose records without a duration are blows.
  bool find_steps = true;
};

/// Contact that lasts: one point of a body slides or rolls on another.
struct ContactInterval {
  /// What a record told.
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

/// What became of the records. Impulses are sums of sizes: those of the three kinds add up to that
/// of all.
struct EventReport {
  std::size_t records = 0;
  std::size_t merged = 0;      ///< records that joined the impact of another
  std::size_t continuous = 0;  ///< records of sliding and rolling
  std::size_t dropped = 0;     ///< rest, and blows too slow to be heard
  double impact_impulse = 0.0, continuous_impulse = 0.0, dropped_impulse = 0.0;  ///< [N s]
  double found_step = 0.0;  ///< of a log that names none, from its records [s]; 0: not found
};

struct ContactEvents {
  std::vector<base::Impact> impacts;       ///< by time
  std::vector<ContactInterval> intervals;  ///< by begin
  EventReport report;
};

/// The same for any order of the records.
ContactEvents contact_events(const base::ContactLog& log, const EventSettings& settings = {});

}  // namespace peal::contact

#pragma once

#include <peal/base/contact.h>

#include <cstddef>
#include <vector>

/// Engines tell contacts step by step, one blow in many records; sound needs events.
namespace peal::contact {

struct EventSettings {
  /// Slower blows are not heard by themselves (v_min of Chadwick et al. 2012, section 4.3) [m/s].
  double min_speed = 0.05;
  /// What moves slower along the surface is at rest [m/s].
  double slide_speed = 0.01;
  /// Records of one pair this soon after the first of a blow belong to it, as engines split it: at
  /// least this [s], and two further steps of the engine.
  double merge_time = 1e-4;
  double merge_distance = 0.002;  ///< corners farther apart than this strike by themselves [m]
};

/// Contact that lasts.
struct ContactInterval {
  enum class Kind { sliding, rolling };

  Kind kind = Kind::sliding;
  double begin = 0.0, end = 0.0;  ///< [s]
  std::uint32_t body_a = 0, body_b = 0;
  double impulse = 0.0;   ///< along the normal, in all [N s]
  double distance = 0.0;  ///< that the point of contact moved [m]
};

/// What became of the records. Impulses are sums of sizes: those of the three kinds add up to that
/// of all.
struct EventReport {
  std::size_t records = 0;
  std::size_t merged = 0;      ///< records that joined the impact of another
  std::size_t continuous = 0;  ///< records of sliding and rolling
  std::size_t dropped = 0;     ///< rest, and blows too slow to be heard
  double impact_impulse = 0.0, continuous_impulse = 0.0, dropped_impulse = 0.0;  ///< [N s]
};

struct ContactEvents {
  std::vector<base::Impact> impacts;       ///< by time
  std::vector<ContactInterval> intervals;  ///< by begin
  EventReport report;
};

/// The same for any order of the records.
ContactEvents contact_events(const base::ContactLog& log, const EventSettings& settings = {});

}  // namespace peal::contact

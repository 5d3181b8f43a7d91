#pragma once

#include <peal/base/contact.h>

#include <cstddef>
#include <vector>

/// Engines tell contacts step by step, one impact in many records; sound needs events.
namespace peal::contact {

using base::ContactEvents;
using base::ContactInterval;
using base::EventReport;
using base::Vec3;

struct EventSettings {
  /// Slower impacts are not heard by themselves (v_min of Chadwick et al. 2012, section 4.3) [m/s].
  double min_speed = 0.05;
  /// What moves slower along the surface is at rest [m/s].
  double slide_speed = 0.01;
  /// Records of one pair this soon after the first of an impact belong to it, as engines split it:
  /// at least this [s], and two further steps of the engine.
  double merge_time = 1e-4;
  double merge_distance = 0.002;  ///< corners farther apart than this strike by themselves [m]
  /// A contact that is gone for longer has ended [s]; at least two steps of the engine.
  double gap_time = 0.002;
  /// What engines add to the velocity of a body in every step before they solve its contacts, also
  /// if it rests [m/s^2].
  double gravity = 9.81;
  /// A log that names no step, or no durations, may still be reported step by step: its records
  /// show them. Not for logs whose records without a duration are impacts.
  bool find_steps = true;
};

/// The same for any order of the records.
ContactEvents contact_events(const base::ContactLog& log, const EventSettings& settings = {});

}  // namespace peal::contact

#pragma once

#include <peal/base/force_pulse.h>
#include <peal/base/lasting_force.h>
#include <peal/geometry/vector.h>

#include <cstdint>
#include <string>
#include <vector>

namespace peal::base {

using geometry::Vec3;

/// What a simulation says of two bodies that touch at one point: a blow, or one step of a contact
/// that lasts.
struct ContactRecord {
  double time = 0.0;                     ///< when it begins, on the scene's clock [s]
  std::uint32_t body_a = 0, body_b = 0;  ///< of ContactLog::bodies, two different ones
  Vec3 point = Vec3::Zero();             ///< world [m]
  Vec3 normal = Vec3::UnitY();           ///< world, unit length, out of b towards a
  Vec3 impulse = Vec3::Zero();           ///< that b gives a, world [N s]; a gives b the opposite
  Vec3 velocity = Vec3::Zero();          ///< of a's point less that of b's just before, world [m/s]
  double duration = 0.0;                 ///< that the impulse was spread over [s]; 0: a blow
  double rolling = 0.0;  ///< speed of the point of contact over the surface of a [m/s]
};

/// Everything that touched in a simulation (docs/contact-log.md).
struct ContactLog {
  std::vector<std::string> bodies;
  double step = 0.0;  ///< of the simulation [s]
  std::vector<ContactRecord> records;
};

/// Two bodies meet: one blow, from whatever number of records.
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
};

}  // namespace peal::base

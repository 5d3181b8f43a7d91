#pragma once

#include <peal/dynamics/collision_detection.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace peal::dynamics {

/// A contact that lasted through a step or a part of one.
struct CachedContact {
  std::uint64_t key = 0;        ///< key of the contact point
  Vec3 point = Vec3::Zero();    ///< [m]
  Vec3 normal = Vec3::Zero();   ///< unit length
  Vec3 impulse = Vec3::Zero();  ///< [N s]
  double duration = 0.0;        ///< of that part of the step [s]
  double until = 0.0;           ///< end of that part [s]
};

/// The contacts of the last step, by pairs of bodies. The next step starts from their impulses
/// (warm start), and finds from them how contact points move.
class ContactCache {
 public:
  /// Finds the cached contact of a contact point; null if there was none up to the time `now` [s].
  /// Contacts of round faces change their keys as they move: then it is the nearest contact within
  /// a twentieth of `size` [m] that has about the same normal.
  const CachedContact* find(const ContactPoint& contact_point, double now, double size) const;
  /// Replaces all contacts of some pairs.
  void replace(std::span<const BodyPair> pairs, std::span<const CachedContact> contacts);

  void serialize(util::Archive& archive);

 private:
  std::unordered_map<std::uint64_t, std::vector<CachedContact>> contacts_;  ///< by pair_key()
};

}  // namespace peal::dynamics

#pragma once

#include <peal/dynamics/collision_detection.h>
#include <peal/dynamics/rigid_bodies.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Free bodies that could touch within a step, or are joined. They are solved together,
/// independently of all others.
struct Island {
  std::vector<std::uint32_t> bodies;  ///< free, ascending
  std::vector<BodyPair> pairs;
  std::vector<std::uint32_t> joints;
  bool is_driven = false;  ///< an animation moves a body that one of them could touch
};

/// Whether the bodies of a joint exist now.
bool acts(const RigidJoint& joint, const RigidBodies& bodies);

/// Finds the islands of the bodies that exist now, in the order of their first bodies.
std::vector<Island> find_islands(const RigidBodies& bodies, std::span<const BodyPair> pairs,
                                 std::span<const RigidJoint> joints);

}  // namespace peal::dynamics

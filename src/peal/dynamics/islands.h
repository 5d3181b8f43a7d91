#pragma once

#include <peal/dynamics/collision_detection.h>
#include <peal/dynamics/rigid_bodies.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Free bodies that could meet, or are joined, within a step: they are solved for together, and
/// apart from all others.
struct Island {
  std::vector<std::uint32_t> bodies;  ///< free, ascending
  std::vector<BodyPair> pairs;
  std::vector<std::uint32_t> joints;
  bool is_driven = false;  ///< an animation moves a body that one of them could meet
};

/// Whether the bodies of a joint are there.
bool acts(const RigidJoint& joint, const RigidBodies& bodies);

/// Of the bodies that are there, in the order of their first bodies.
std::vector<Island> find_islands(const RigidBodies& bodies, std::span<const BodyPair> pairs,
                                 std::span<const RigidJoint> joints);

}  // namespace peal::dynamics

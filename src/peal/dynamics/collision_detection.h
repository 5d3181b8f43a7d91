#pragma once

#include <peal/dynamics/rigid_bodies.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Gap up to which contacts are struck as one [m].
inline constexpr double together = 1e-6;
/// Speed that others may give a body in a step [m/s].
inline constexpr double unforeseen_gain = 0.5;

/// Two bodies, a < b, at least one of them free.
struct BodyPair {
  std::uint32_t a, b;
};

/// Broad phase: the pairs of bodies that could meet within a step [s], in ascending order, by sweep
/// and prune along x.
std::vector<BodyPair> candidate_pairs(const RigidBodies& bodies, double step);

/// Narrow phase: where candidate pairs could meet within a time [s]. Touches of a pair follow each
/// other. In a crowd each pair of convex bodies keeps four touches at most.
std::vector<ContactPoint> detect_contacts(const RigidBodies& bodies,
                                          std::span<const BodyPair> pairs, double within,
                                          bool is_crowd);

}  // namespace peal::dynamics

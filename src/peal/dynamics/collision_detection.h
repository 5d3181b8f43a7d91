#pragma once

#include <peal/dynamics/rigid_bodies.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::dynamics {

/// Gap up to which contacts have their impact at the same time [m].
inline constexpr double together = 1e-6;
/// Speed that a body may gain in a step by contact with others [m/s].
inline constexpr double unforeseen_gain = 0.5;

/// Two bodies, a < b, at least one of them free.
struct BodyPair {
  std::uint32_t a, b;
};

/// Broad phase: the pairs of bodies that could touch within a step [s], in ascending order, by
/// sweep and prune along x.
std::vector<BodyPair> candidate_pairs(const RigidBodies& bodies, double step);

/// Narrow phase: the contact points of candidate pairs that could touch within a time [s]. Contact
/// points of a pair are consecutive. In a crowd each pair of convex bodies keeps at most four
/// contact points.
std::vector<ContactPoint> detect_contacts(const RigidBodies& bodies,
                                          std::span<const BodyPair> pairs, double within,
                                          bool is_crowd);

}  // namespace peal::dynamics

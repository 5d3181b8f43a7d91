#pragma once

#include <peal/dynamics/posed_shape.h>

#include <cstdint>
#include <vector>

namespace peal::dynamics {

/// A point where two bodies touch or nearly touch.
struct ContactPoint {
  std::uint32_t body_a = 0, body_b = 0;
  std::uint64_t key = 0;        ///< feature and body; the same from step to step
  Vec3 point = Vec3::Zero();    ///< in the middle of the gap, world [m]
  Vec3 normal = Vec3::UnitY();  ///< out of b towards a, world
  double gap = 0.0;             ///< [m], negative where they overlap

  Vec3 on_a() const { return point + 0.5 * gap * normal; }  ///< on the surface of a [m]
  Vec3 on_b() const { return point - 0.5 * gap * normal; }
};

/// Prefix of the keys of all contact points of two bodies. Keys of a pair are below the prefix of
/// the next pair.
inline std::uint64_t pair_key(std::uint32_t body_a, std::uint32_t body_b) {
  return (std::uint64_t{body_a} << 48) | (std::uint64_t{body_b} << 32);
}

/// Adds the points where a and b are at most `margin` [m] apart: each feature of one shape is
/// tested against the signed distance of the other.
void find_contact_points(const PosedShape& a, const PosedShape& b, std::uint32_t index_a,
                         std::uint32_t index_b, double margin,
                         std::vector<ContactPoint>& contact_points);

}  // namespace peal::dynamics

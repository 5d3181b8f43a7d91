#pragma once

#include <peal/base/motion.h>
#include <peal/dynamics/smooth_shape.h>

#include <cstdint>
#include <vector>

namespace peal::dynamics {

/// A place where two bodies touch or nearly do.
struct ContactPoint {
  std::uint32_t body_a = 0, body_b = 0;
  std::uint64_t key = 0;        ///< which feature of which body: the same from step to step
  Vec3 point = Vec3::Zero();    ///< in the middle of the gap, world [m]
  Vec3 normal = Vec3::UnitY();  ///< out of b towards a, world
  double gap = 0.0;             ///< [m], negative where they overlap

  Vec3 on_a() const { return point + 0.5 * gap * normal; }  ///< on the surface of a [m]
  Vec3 on_b() const { return point - 0.5 * gap * normal; }
};

/// What the keys of all touches of two bodies begin with; they are below the next one's.
inline std::uint64_t pair_key(std::uint32_t body_a, std::uint32_t body_b) {
  return (std::uint64_t{body_a} << 48) | (std::uint64_t{body_b} << 32);
}

/// A shape somewhere.
struct PosedShape {
  const SmoothShape* shape = nullptr;
  base::Pose pose;  ///< of the shape's own frame

  Vec3 middle() const { return pose.to_world(shape->middle()); }  ///< [m]
};

/// The shape of a body that has this pose.
PosedShape place(const SmoothShape& shape, const base::Pose& body);

/// Whether two shapes are farther apart than `margin` [m]; quickly, if not always.
bool are_apart(const PosedShape& a, const PosedShape& b, double margin);

/// Adds the places where a and b are at most `margin` [m] apart: each feature of one against the
/// distance from the other.
void find_contact_points(const PosedShape& a, const PosedShape& b, std::uint32_t index_a,
                         std::uint32_t index_b, double margin,
                         std::vector<ContactPoint>& contact_points);

}  // namespace peal::dynamics

#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace peal::wave {

/// The cosine of 45 degrees, the largest angle from triangle to triangle within a part of a
/// surface.
inline constexpr double smooth_turn = 0.5 * std::numbers::sqrt2;

/// Parts of a surface, split further where it turns by more than 45 degrees. A wall is driven by
/// the acceleration at one of its points, which says nothing about the surface beyond an edge (the
/// rim of a shaking plate does not radiate, its faces do). Parts are numbered from 0, in the order
/// of their first triangles. `part` may be empty if all is one part.
std::vector<std::uint32_t> parted_at_creases(const geometry::TriMesh& mesh,
                                             std::span<const std::uint32_t> part);

}  // namespace peal::wave

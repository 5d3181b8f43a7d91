#pragma once

#include <peal/geometry/mesh/tri_mesh.h>

#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace peal::wave {

/// Cosine of the 45 degrees by which a surface may turn from triangle to triangle within a part.
inline constexpr double smooth_turn = 0.5 * std::numbers::sqrt2;

/// Parts of a surface that are parted further where it turns by more than 45 degrees: a wall is
/// driven by the acceleration at one of its points, which says nothing about what lies beyond an
/// edge (the rim of a plate that shakes does not press, its faces do). Numbers start at 0, in the
/// order of first triangles. `part` may be empty: all is one part.
std::vector<std::uint32_t> parted_at_creases(const geometry::TriMesh& mesh,
                                             std::span<const std::uint32_t> part);

}  // namespace peal::wave

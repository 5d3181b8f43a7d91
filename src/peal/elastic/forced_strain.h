#pragma once

#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>

#include <array>
#include <cstddef>
#include <span>

namespace peal::elastic {

/// A stretch that grips force on a solid.
struct ForcedStrain {
  double strain = 0.0;  ///< [1]
  double time = 0.0;    ///< [s]
  std::array<std::size_t, 2> constraints{};
  std::array<geometry::Vec3, 2> at{geometry::Vec3::Zero(), geometry::Vec3::Zero()};  ///< at rest
};

/// The largest stretch until `end` [s] that the motion of held nodes forces on a solid, whatever
/// its other nodes do: the distance of two of them over the length of a path between them along
/// edges of the surface at rest, minus one. All `constraints` are of this solid; nodes of those
/// that do not move stay where `start` puts them. It is a lower bound, because the path is up to
/// 15 % longer than the shortest one where triangles are oblique to it.
ForcedStrain forced_strain(const Solid& solid, std::span<const Constraint> constraints,
                           const geometry::Affine& start, double end);

}  // namespace peal::elastic

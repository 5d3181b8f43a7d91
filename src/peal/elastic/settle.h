#pragma once

#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/load.h>
#include <peal/elastic/solid.h>

#include <optional>
#include <vector>

namespace peal::elastic {

/// How the nodes that are fixed keep a solid from moving as a whole: three that are not on a line
/// hold it firmly; about a point or a line it may turn.
enum class Hold { nowhere, at_a_point, along_a_line, firmly };
Hold support_of(const Solid& solid, std::size_t number, const std::vector<Constraint>& constraints);

/// Where a solid that is fixed comes to rest under gravity [m/s^2], from `start` on, by dynamic
/// relaxation with kinetic damping (Cundall 1976): it swings freely, and is stopped wherever its
/// kinetic energy is largest. None if it does not come to rest soon, or sags by more than 5 % of
/// its size: then it is not stiff enough for a state of rest to be what one means by its start.
std::optional<Nodes> settled(const Solid& solid, const FreeAxes& free, const Nodes& start,
                             const geometry::Vec3& gravity);

}  // namespace peal::elastic

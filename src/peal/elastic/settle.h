#pragma once

#include <peal/elastic/largest_frequency.h>
#include <peal/elastic/load.h>
#include <peal/elastic/soft_support.h>
#include <peal/elastic/solid.h>

#include <optional>
#include <span>
#include <vector>

namespace peal::elastic {

/// How fixed nodes constrain the rigid motion of a solid: three nodes that are not on a line fix it
/// firmly; with fewer it may rotate about a point or a line.
enum class Hold { nowhere, at_a_point, along_a_line, firmly };
Hold support_of(const Solid& solid, std::size_t number, const std::vector<Constraint>& constraints);

/// Equilibrium of a fixed solid under gravity [m/s^2], found from `start` by dynamic relaxation
/// with kinetic damping (Cundall 1976): the solid moves freely, and is stopped whenever its kinetic
/// energy has a maximum. `supports` are those of this solid, which has the number. There is no
/// result if it does not come to rest soon, or sags by more than 5 % of its size: then it is not
/// stiff enough for its start to mean a state of rest.
std::optional<Nodes> settled(const Solid& solid, const FreeAxes& free, const Nodes& start,
                             const geometry::Vec3& gravity,
                             std::span<SoftSupport* const> supports = {}, std::size_t number = 0);

}  // namespace peal::elastic

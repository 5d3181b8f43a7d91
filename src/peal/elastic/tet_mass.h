#pragma once

#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>
#include <span>

namespace peal::elastic {

/// A tetrahedron with ten nodes: corners 0 to 3, then the midpoints of geometry::tet_edges.
using QuadraticTet = std::array<std::uint32_t, 10>;

/// Gives tetrahedra of `volumes` [m^3] their mass: fills `mass` and `riding`
/// (docs/theory/elastic.md).
void add_mass(std::span<const QuadraticTet> tets, std::span<const double> volumes, Solid& solid);

}  // namespace peal::elastic

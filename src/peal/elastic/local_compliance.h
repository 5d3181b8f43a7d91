#pragma once

#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>

namespace peal::elastic {

/// Local compliance of the elements of a solid under a point of its surface, without the compliance
/// of the body as a whole: displacement per force along a force on the point of a triangle of nodes
/// with these weights [m/N]. It is the part of Hertz's indentation that the elements themselves
/// resolve.
///
/// All nodes within four sizes of the face are free. Other nodes are fixed, and so is the other
/// side of a thin wall, because its bending is not local. The compliance of the half space beyond
/// them, (1 - nu^2) / (pi E r) at a distance r (Boussinesq; Johnson 1985, eq. 3.22b), is added. The
/// system is solved by conjugate gradients about the state at rest.
double local_compliance(const Solid& solid, const std::array<std::uint32_t, 3>& nodes,
                        const geometry::Vec3& weights);

}  // namespace peal::elastic

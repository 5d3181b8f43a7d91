#pragma once

#include <peal/elastic/solid.h>

#include <array>
#include <cstdint>

namespace peal::elastic {

/// How far the elements of a solid give way under a point of its surface, beyond what the body as a
/// whole does: displacement along a force of 1 N on the point of a triangle of nodes with these
/// weights [m/N]. A force on a real surface sinks in as Hertz says; of that, elements show so much.
///
/// All nodes within four sizes of the face are free, others stand still, and so does the other side
/// of a thin wall: that it bends is not local. What a half space gives way beyond them,
/// (1 - nu^2) / (pi E r) at a distance r (Boussinesq; Johnson 1985, eq. 3.22b), is added. By
/// conjugate gradients about the state at rest.
double local_compliance(const Solid& solid, const std::array<std::uint32_t, 3>& nodes,
                        const geometry::Vec3& weights);

}  // namespace peal::elastic

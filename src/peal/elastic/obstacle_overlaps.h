#pragma once

#include <peal/elastic/contact_faces.h>
#include <peal/elastic/obstacle.h>
#include <peal/elastic/solid.h>

namespace peal::elastic {

/// Throws util::InputError if a solid whose nodes are at `x` [m] and an obstacle are inside of each
/// other; the name of the solid is the location.
void refuse_overlap(const Solid& solid, const ContactFaces& faces, const MovingObstacle& obstacle,
                    const Nodes& x);

}  // namespace peal::elastic

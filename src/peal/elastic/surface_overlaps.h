#pragma once

#include <peal/elastic/contact_surface.h>
#include <peal/elastic/nodes.h>

namespace peal::elastic {

/// Throws util::InputError if one solid, with nodes at `x` [m], is inside of another, with nodes at
/// `y`; the name of the first is the location.
void refuse_overlap(const ContactSurface& a, const Nodes& x, const ContactSurface& b,
                    const Nodes& y);

}  // namespace peal::elastic

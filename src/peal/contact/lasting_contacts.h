#pragma once

#include <peal/base/contact.h>
#include <peal/contact/contact_forces.h>
#include <peal/contact/impact_law.h>

#include <span>
#include <vector>

namespace peal::contact {

/// What the vibration of each body meets where it lies, slides or rolls on others
/// (docs/theory/contact.md): a list a body, by their beginnings; none for bodies without modes, or
/// that are not `excited`. What moves along another is at one point for some milliseconds at a
/// time. `law` is that of `bodies`.
std::vector<std::vector<base::LastingContact>> lasting_contacts(const base::ContactEvents& events,
                                                                std::span<const ContactBody> bodies,
                                                                const std::vector<bool>& excited,
                                                                const CompliantImpactLaw& law);

}  // namespace peal::contact

#pragma once

#include <peal/base/contact.h>
#include <peal/contact/contact_forces.h>

#include <span>
#include <vector>

namespace peal::contact {

/// Where keyed bodies lie still against others, which an animation does not say: from the last key
/// of a movement to the first of the next one, at points that are at most a millimetre apart. The
/// weight of the body is spread evenly over the points that are below it. Only bodies that move at
/// some time and that are to be `heard` are looked at. By their beginnings, up to `duration` [s].
std::vector<base::RestingContact> find_keyed_rests(std::span<const ContactBody> bodies,
                                                   const std::vector<bool>& heard, double duration,
                                                   const base::Vec3& gravity);

}  // namespace peal::contact

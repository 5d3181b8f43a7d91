#pragma once

#include <peal/base/contact.h>
#include <peal/contact/contact_forces.h>

#include <span>
#include <vector>

namespace peal::contact {

/// Impacts that the motion of keyed bodies shows: an animation knows no contacts, but where its
/// velocity jumps (base::Motion::kinks) away from a body that is near and that it was approaching,
/// it was hit. Animations that were baked at frames spread an impact over the two keys around it:
/// these are one impact, at the time at which the flight before reaches the surface. The impulse is
/// what the effective masses need for the jump along the normal; friction is not seen.
///
/// Only pairs of which one is to be `heard` are looked at. Records by time; slower approaches than
/// `min_speed` [m/s] and what happens after `duration` [s] are left out.
std::vector<base::ContactRecord> infer_contacts(std::span<const ContactBody> bodies,
                                                const std::vector<bool>& heard, double duration,
                                                double min_speed);

}  // namespace peal::contact

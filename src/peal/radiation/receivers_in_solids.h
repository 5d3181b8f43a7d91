#pragma once

#include <peal/base/listener.h>
#include <peal/base/radiator.h>
#include <peal/base/world.h>

#include <span>

namespace peal::radiation {

/// Throws InputError if a receiver is inside a solid all the time, where no ray is valid; adds a
/// notice to the plan if it is inside for part of the time.
void check_receivers(const base::World& world, std::span<const base::Receiver> receivers,
                     base::RadiationPlan& plan);

}  // namespace peal::radiation

#pragma once

#include <peal/elastic/solid.h>

#include <array>
#include <vector>

namespace peal::elastic {

/// The largest angular frequency [rad/s] of a solid at rest with its lumped mass: the step of
/// leapfrog must be below 2 over it. `free` is 1 for nodes that move along an axis, 0 for others.
///
/// By Lanczos' iteration on M^-1/2 K M^-1/2 (Golub & Van Loan, section 10.1); K times a vector is a
/// difference of two forces. Bounds by single elements are up to four times too careful.
double largest_frequency(const Solid& solid, const std::array<std::vector<double>, 3>& free);

}  // namespace peal::elastic

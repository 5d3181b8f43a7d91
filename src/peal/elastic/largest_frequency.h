#pragma once

#include <peal/elastic/solid.h>

#include <array>
#include <span>
#include <vector>

namespace peal::elastic {

/// 1 for nodes that move along an axis, 0 for others.
using FreeAxes = std::array<std::vector<double>, 3>;

/// The largest angular frequency [rad/s] of a solid at rest with its lumped mass: the step of
/// leapfrog must be below 2 over it.
///
/// Uses Lanczos iteration on M^-1/2 K M^-1/2 (Golub & Van Loan, section 10.1); K times a vector is
/// a difference of two forces. Bounds by single elements are up to four times too large.
double largest_frequency(const Solid& solid, const FreeAxes& free);

/// Tracks the largest frequency of a solid while it deforms, with a few iterations per update that
/// start from the mode shape of the last update.
class FrequencyWatch {
 public:
  FrequencyWatch(const Solid& solid, const FreeAxes& free);

  /// Returns the largest angular frequency [rad/s] with nodes at `positions`. Costs 16 evaluations
  /// of all elements.
  double look(const Solid& solid, const FreeAxes& free, const Nodes& positions);

  void serialize(util::Archive& archive) { archive.numbers(std::span(shape_)); }

 private:
  std::vector<double> shape_;  ///< mode shape of unit length, scaled by the square roots of masses
};

}  // namespace peal::elastic

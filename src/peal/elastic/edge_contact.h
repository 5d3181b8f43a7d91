#pragma once

#include <peal/elastic/contact_surface.h>
#include <peal/elastic/load.h>
#include <peal/elastic/point_contact.h>
#include <peal/util/archive.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace peal::elastic {

/// Sharp edges of two solids, or of one, that may meet.
struct EdgePair {
  std::uint32_t solid = 0, other = 0;
  std::uint32_t edge = 0, other_edge = 0;
  double stiffness = 0.0;  ///< since they crossed [N/m]
};

/// Sharp edges that cross between vertices push each other apart across both.
///
/// Edges that cross for the first time do so near the surface: those that come to lie deep in each
/// other sideways had no work done to get there, and are left to the vertices beside them. What
/// they carry then stays as it is until they part: otherwise the force would have no energy.
class EdgeContact {
 public:
  /// Adds the forces of the pairs that cross now, in a step of `dt` [s].
  void press(std::span<const EdgePair> pairs, const std::vector<ContactSurface>& surfaces,
             const State& state, double dt, std::vector<Nodes>& forces);
  double energy(const std::vector<ContactSurface>& surfaces, const State& state) const;  ///< [J]
  void serialize(util::Archive& archive) { archive.list(crossed_); }

 private:
  const EdgePair* crossed_before(const EdgePair& pair,
                                 const std::vector<ContactSurface>& surfaces) const;

  std::vector<EdgePair> crossed_;  ///< that pushed each other in the last step
};

}  // namespace peal::elastic

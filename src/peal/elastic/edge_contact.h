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

/// Two sharp edges, of two solids or of one, that may cross.
struct EdgePair {
  std::uint32_t solid = 0, other = 0;
  std::uint32_t edge = 0, other_edge = 0;
  double stiffness = 0.0;  ///< fixed when the edges first cross [N/m]
};

/// Contact of sharp edges: edges that cross between vertices push each other apart, perpendicular
/// to both.
///
/// Edges must cross near the surface when they cross for the first time: no work was done on edges
/// that get deep into each other sideways, and these are left to the vertices beside them. The
/// stiffness of a crossing then stays constant until the edges part; otherwise the force would have
/// no energy.
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

  std::vector<EdgePair> crossed_;  ///< pairs that pushed each other in the last step
};

}  // namespace peal::elastic

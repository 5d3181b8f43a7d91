#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/wave/grid/grid.h>

#include <limits>
#include <vector>

namespace peal::wave {

/// The part of the world in which a chunk's waves are computed. All domains of a scene have their
/// cells on one lattice, so that they differ by whole cells.
struct Domain {
  Grid grid;       ///< with the absorbing layer
  Cell low, high;  ///< the Kirchhoff surface: cells low <= c < high are inside it
  /// The largest box that the grid has room for.
  Cell rim_low = {}, rim_high = {};
  /// Until when the Kirchhoff surface was chosen for what moves, the largest one for ever [s].
  double chosen_until = std::numeric_limits<double>::infinity();
  geometry::Box core;     ///< what sounds or moves, while the chunk's sources sound [m]
  geometry::Box content;  ///< that, bodies at rest, and what is near of the large ones [m]
  /// Large bodies at rest that reach through the Kirchhoff surface: what lies outside is not heard,
  /// unless it goes on as a plane.
  std::vector<std::size_t> crossing;  ///< numbers of bodies
};

/// Box between the cells low and high [m].
geometry::Box listening_bounds(const Domain& domain);

/// The same domain with the largest Kirchhoff surface.
Domain with_largest_box(Domain domain);

/// From the middle of the Kirchhoff surface, beyond all content: where the radial expansion begins
/// [m].
double expansion_start(const Domain& domain);

}  // namespace peal::wave

#pragma once

#include <peal/geometry/mesh/vector.h>
#include <peal/wave/grid/grid.h>

#include <limits>
#include <vector>

namespace peal::wave {

/// The part of the world in which the waves of a chunk are computed. The cells of all domains of a
/// scene are on one lattice, so that domains differ by whole cells.
struct Domain {
  Grid grid;       ///< with the absorbing layer
  Cell low, high;  ///< the Kirchhoff surface: cells low <= c < high are inside it
  /// The corners of the largest Kirchhoff surface that the grid has room for.
  Cell rim_low = {}, rim_high = {};
  /// The end of the time for which the Kirchhoff surface encloses moving bodies [s]; infinite for
  /// the largest one.
  double chosen_until = std::numeric_limits<double>::infinity();
  geometry::Box core;     ///< encloses all that sounds or moves during the chunk's sources [m]
  geometry::Box content;  ///< encloses the core, bodies at rest, and near parts of large ones [m]
  /// Large bodies at rest that extend through the Kirchhoff surface. Their parts outside are
  /// ignored, unless they continue as a plane.
  std::vector<std::size_t> crossing;  ///< indices of bodies
};

/// The box between the cells low and high [m].
geometry::Box listening_bounds(const Domain& domain);

/// The same domain with the largest Kirchhoff surface.
Domain with_largest_box(Domain domain);

/// The distance from the middle of the Kirchhoff surface at which the radial expansion begins,
/// beyond all content [m].
double expansion_start(const Domain& domain);

}  // namespace peal::wave

#pragma once

#include <peal/wave/boundary/body_surface.h>
#include <peal/wave/grid/grid.h>

#include <functional>
#include <optional>
#include <vector>

namespace peal::wave {

/// The value of a ghost cell (Wang et al. 2018, equation (12)):
///
///     p_g = sum of weights times pressures of cells + reach rho a_n
///
/// with a_n the acceleration of the wall along its normal out of the solid.
struct GhostStencil {
  std::vector<Cell> cells;
  std::vector<double> weights;
  double reach = 0;  ///< [m]
};

/// The stencil of second order: the pressure at the image of the ghost beyond the wall, by
/// trilinear interpolation over the eight cells around it. If the ghost is one of them, its row is
/// replaced by the slope at the wall (equation (10)). There is none if the condition number of the
/// interpolation exceeds kappa, or if the image is at the edge of the grid.
std::optional<GhostStencil> image_stencil(const Grid& grid, const Cell& ghost,
                                          const NearestWall& wall, double kappa);

/// The stencil of first order: the neighbour across the face of the ghost that lies most along the
/// normal, preferably one with air. The paper takes the distance of the cells as the reach; here it
/// is its component along the normal, without which oblique walls are too loud. The stencil is
/// empty if the ghost has no neighbour along the normal in the grid.
GhostStencil neighbour_stencil(const Grid& grid, const Cell& ghost, const NearestWall& wall,
                               const std::function<bool(const Cell&)>& is_air);

}  // namespace peal::wave

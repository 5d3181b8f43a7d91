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

/// Second order: the pressure at the image of the ghost beyond the wall, by trilinear interpolation
/// over the eight cells around it. If the ghost is one of them, its row is replaced by the wall's
/// slope (equation (10)). None if the condition number of the interpolation exceeds kappa, or if
/// the image is at the edge of the grid.
std::optional<GhostStencil> image_stencil(const Grid& grid, const Cell& ghost,
                                          const NearestWall& wall, double kappa);

/// First order: the neighbour across a face of the ghost that lies most along the normal, among
/// those with air if there are any. The paper takes the distance of the cells as the reach; this is
/// its part along the normal, without which oblique walls are too loud. Empty if the ghost has no
/// neighbour along the normal in the grid.
GhostStencil neighbour_stencil(const Grid& grid, const Cell& ghost, const NearestWall& wall,
                               const std::function<bool(const Cell&)>& is_air);

}  // namespace peal::wave

#include <peal/wave/boundary/ghost_stencil.h>

#include <Eigen/LU>
#include <Eigen/SVD>

namespace peal::wave {
namespace {

using Row = Eigen::Matrix<double, 1, 8>;
using Matrix8 = Eigen::Matrix<double, 8, 8>;

/// The basis phi of equation (8).
Row basis(const Vec3& x) {
  Row row;
  row << x[0] * x[1] * x[2], x[0] * x[1], x[1] * x[2], x[0] * x[2], x[0], x[1], x[2], 1;
  return row;
}

/// The derivative of the basis along n.
Row slope(const Vec3& x, const Vec3& n) {
  Row row;
  row << n[0] * x[1] * x[2] + x[0] * n[1] * x[2] + x[0] * x[1] * n[2], n[0] * x[1] + x[0] * n[1],
      n[1] * x[2] + x[1] * n[2], n[0] * x[2] + x[0] * n[2], n[0], n[1], n[2], 0;
  return row;
}

double condition_number(const Matrix8& matrix) {
  const auto values = Eigen::JacobiSVD<Matrix8>(matrix).singularValues();
  return values[0] / values[7];
}

}  // namespace

std::optional<GhostStencil> image_stencil(const Grid& grid, const Cell& ghost,
                                          const NearestWall& wall, double kappa) {
  const Vec3 centre = grid.centre(ghost), image = 2 * wall.point - centre;
  const Cell low = grid.cell_of(image - Vec3::Constant(0.5 * grid.cell_size));
  // In these coordinates, the centres of the cells are the corners of [-1, 1]^3.
  const auto to_cube = [&](const Vec3& x) -> Vec3 {
    return 2 / grid.cell_size * (x - grid.centre(low)) - Vec3::Ones();
  };
  GhostStencil stencil{.reach = (image - centre).norm()};
  Matrix8 phi;
  std::optional<int> self;
  for (int i = 0; i < 8; ++i) {
    const Cell cell{low[0] + i % 2, low[1] + i / 2 % 2, low[2] + i / 4};
    if (!grid.contains(cell)) return std::nullopt;
    phi.row(i) = basis(to_cube(grid.centre(cell)));
    if (cell == ghost) self = i;
    stencil.cells.push_back(cell);
  }
  if (self) phi.row(*self) = slope(to_cube(wall.point), wall.normal);
  if (!(condition_number(phi) <= kappa)) return std::nullopt;
  const Eigen::Matrix<double, 8, 1> weights =
      phi.transpose().partialPivLu().solve(basis(to_cube(image)).transpose());
  stencil.weights.assign(weights.begin(), weights.end());
  if (self) {
    // The slope on the cube is -rho a_n h / 2.
    stencil.reach -= 0.5 * grid.cell_size * weights[*self];
    stencil.cells.erase(stencil.cells.begin() + *self);
    stencil.weights.erase(stencil.weights.begin() + *self);
  }
  return stencil;
}

GhostStencil neighbour_stencil(const Grid& grid, const Cell& ghost, const NearestWall& wall,
                               const std::function<bool(const Cell&)>& is_air) {
  GhostStencil best;
  bool best_is_air = false;
  for (int axis = 0; axis < 3; ++axis) {
    for (const int side : {-1, 1}) {
      Cell next = ghost;
      next[axis] += side;
      if (!grid.contains(next)) continue;
      const double reach = grid.cell_size * side * wall.normal[axis];
      const bool air = is_air(next);
      const bool better = best.cells.empty()   ? air || reach > 0
                          : air == best_is_air ? reach > best.reach
                                               : air;
      if (!better) continue;
      best = {.cells = {next}, .weights = {1.0}, .reach = reach};
      best_is_air = air;
    }
  }
  return best;
}

}  // namespace peal::wave

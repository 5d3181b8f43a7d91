#include <peal/elastic/bending.h>
#include <peal/elastic/twist.h>
#include <peal/elastic/wall_corner.h>

#include <algorithm>
#include <cmath>

namespace peal::elastic {
namespace {

/// What shear, which is a parabola over a section, takes more than if it was the same all over it
/// (Reissner 1945) [1].
constexpr double parabolic = 6.0 / 5.0;

/// The same of `cells` beside each other, which have the mean of the parabola each: 1 of one or two
/// cells [1].
double parabolic_in(int cells) {
  const double part = 1.0 / (static_cast<double>(cells) * cells);
  return parabolic - part + 0.8 * part * part;
}

/// Parts of 1 that are told apart, so that like cells stay alike.
constexpr double rounded = 1e7;

/// A cell and what is around it.
struct LayerCell {
  const geometry::HexMesh& mesh;
  const geometry::Hex& hex;
  const geometry::HexRows& rows;
  std::array<double, 3> sides = geometry::mean_sides(mesh, hex);  ///< [m]

  /// By how much the wall turns from one side of the cell to the other [rad].
  double turn(std::size_t axis) const {
    geometry::Vec3 across[2] = {geometry::Vec3::Zero(), geometry::Vec3::Zero()};
    for (const std::size_t high : {0, 1}) {
      for (const int c : geometry::hex_sides[axis][high]) {
        across[high] += (c & 4 ? 1.0 : -1.0) * mesh.vertices[hex[c]];
      }
      across[high].normalize();
    }
    return (across[1] - across[0]).norm();
  }

  /// Whether waves mostly go along r, or along s: around walls that are bent that way only, and
  /// along what is more than twice as long as wide.
  bool is_waveguide(std::size_t axis) const {
    const bool goes_around = rows[axis].cells == 0;
    return goes_around ? turn(1 - axis) < 0.25 * turn(axis) : geometry::is_long(rows, axis);
  }

  /// Of the shear `mu` where bending along `axis` has a modulus of `young` [Pa], and the body has
  /// so many cells from side to side along another axis.
  double kept(double mu, double young, std::size_t axis, std::size_t thick, int cells) const {
    const double ratio = sides[axis] / (cells * sides[thick]);
    const double kept = parabolic_in(cells) / (parabolic + mu / young * ratio * ratio);
    return std::round(rounded * kept) / rounded;
  }
};

}  // namespace

std::vector<std::array<double, 3>> shear_factors(const geometry::HexMesh& mesh,
                                                 const std::vector<geometry::HexRows>& rows,
                                                 const Lame& lame) {
  std::vector<std::array<double, 3>> factors(mesh.hexes.size(), {1.0, 1.0, 1.0});
  if (!geometry::is_layer(rows)) return factors;
  const double mu = lame.mu, rod = rod_modulus(lame), wall = wall_modulus(lame);
  const geometry::HexNeighbours neighbours(mesh);
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) {
    const LayerCell cell{mesh, mesh.hexes[e], rows[e]};
    if (geometry::is_corner(rows[e])) {
      factors[e] = corner_shears(mesh, neighbours, static_cast<std::uint32_t>(e), lame);
      for (double& factor : factors[e]) factor = std::round(rounded * factor) / rounded;
      continue;
    }
    for (const std::size_t axis : {0, 1}) {
      const int across = rows[e][1 - axis].cells;
      const bool is_rod = across == 1, is_waveguide = cell.is_waveguide(axis);
      double& shear = factors[e][axis == 0 ? 2 : 1];
      if (is_waveguide) {
        shear = cell.kept(mu, is_rod ? rod : wall, axis, 2, 1);
      } else if (is_thin(mesh, mesh.hexes[e])) {
        shear = 1.0 / parabolic;
      }
      // Nor may sections twist too easily.
      if (across > 1)
        shear = std::max(shear, least_shear(across * cell.sides[1 - axis] / cell.sides[2], across));
      if (is_waveguide && (is_rod || geometry::is_long(rows[e], axis)))
        factors[e][0] = cell.kept(mu, rod, axis, 1 - axis, across);
    }
  }
  return factors;
}

}  // namespace peal::elastic

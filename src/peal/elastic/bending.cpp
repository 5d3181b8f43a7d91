#include <peal/elastic/bending.h>
#include <peal/elastic/seven_digits.h>
#include <peal/elastic/torsion.h>
#include <peal/elastic/wall_corner.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace peal::elastic {
namespace {

/// Energy of the parabolic shear in a section over that of constant shear (Reissner 1945) [1].
constexpr double parabolic = 6.0 / 5.0;

/// The same factor for `cells` beside each other, each with the mean of the parabola: 1 for one or
/// two cells [1].
double parabolic_in(int cells) {
  const double part = 1.0 / (static_cast<double>(cells) * cells);
  return parabolic - part + 0.8 * part * part;
}

/// Bending waves of a wall, or of a rod with free sides.
struct WaveBending {
  double modulus;  ///< bending modulus over shear modulus [1]
  /// Energy of shear over that of constant shear in the thickness, with which frequencies are right
  /// to the fourth power of k t (walls: Stephen 1997, rods: Kaneko 1975) [1].
  double shear;

  static WaveBending of_wall(const fem::Lame& lame) {
    return {fem::wall_modulus(lame) / lame.mu, (6.0 - poisson_ratio(lame)) / 5.0};
  }
  static WaveBending of_rod(const fem::Lame& lame) {
    const double nu = poisson_ratio(lame);
    return {fem::rod_modulus(lame) / lame.mu, (6.0 + 5.0 * nu) / (5.0 * (1.0 + nu))};
  }
};

/// A cell of a layer and its neighbours.
struct LayerCell {
  const geometry::HexMesh& mesh;
  const geometry::Hex& hex;
  const geometry::HexRows& rows;
  std::array<double, 3> sides = geometry::mean_sides(mesh, hex);  ///< [m]

  /// Angle by which the wall turns from one side of the cell to the other [rad].
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

  /// Whether waves mostly travel along `axis` (r or s): around walls that are curved in that
  /// direction only, and along parts more than twice as long as wide.
  bool is_waveguide(std::size_t axis) const {
    const bool goes_around = rows[axis].cells == 0;
    return goes_around ? turn(1 - axis) < 0.25 * turn(axis) : geometry::is_long(rows, axis);
  }

  /// Factor on the shear stiffness where waves bend the body along `axis`, with `cells` cells from
  /// side to side along another axis. Many cells resolve by themselves what `waves` corrects for
  /// one cell.
  double kept(const WaveBending& waves, std::size_t axis, std::size_t thick, int cells) const {
    const double ratio = sides[axis] / (cells * sides[thick]);
    const double more = parabolic + (waves.shear - parabolic) / (cells * cells);
    return seven_digits(parabolic_in(cells) / (more + ratio * ratio / waves.modulus));
  }
};

}  // namespace

std::vector<std::array<double, 3>> shear_factors(const geometry::HexMesh& mesh,
                                                 const std::vector<geometry::HexRows>& rows,
                                                 const fem::Lame& lame) {
  std::vector<std::array<double, 3>> factors(mesh.hexes.size(), {1.0, 1.0, 1.0});
  if (!geometry::is_layer(rows)) return factors;
  const WaveBending wall = WaveBending::of_wall(lame), rod = WaveBending::of_rod(lame);
  const geometry::HexNeighbours neighbours(mesh);
  std::map<std::pair<double, int>, double> least_shears;  // by width and cells
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) {
    const LayerCell cell{mesh, mesh.hexes[e], rows[e]};
    if (geometry::is_corner(rows[e])) {
      factors[e] = corner_shears(mesh, neighbours, static_cast<std::uint32_t>(e), lame);
      for (double& factor : factors[e]) factor = seven_digits(factor);
      continue;
    }
    for (const std::size_t axis : {0, 1}) {
      const int across = rows[e][1 - axis].cells;
      const bool is_rod = across == 1, is_waveguide = cell.is_waveguide(axis);
      double& shear = factors[e][axis == 0 ? 2 : 1];
      shear = is_waveguide ? cell.kept(is_rod ? rod : wall, axis, 2, 1) : 1.0 / wall.shear;
      // The factor is limited so that sections do not twist too easily.
      if (across > 1) {
        const double width = seven_digits(across * cell.sides[1 - axis] / cell.sides[2]);
        const auto [at, is_new] = least_shears.try_emplace({width, across});
        if (is_new) at->second = least_shear(width, across);
        shear = std::max(shear, at->second);
      }
      if (is_waveguide && (is_rod || geometry::is_long(rows[e], axis)))
        factors[e][0] = cell.kept(rod, axis, 1 - axis, across);
    }
  }
  return factors;
}

}  // namespace peal::elastic

#include <peal/elastic/seven_digits.h>
#include <peal/elastic/torsion.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

namespace peal::elastic {
namespace {

/// Number of cells beyond which both ends of a row do not influence each other.
constexpr int longest_row = 24;
/// The least part of the stiffness that stays: cells much narrower than thick follow the edge by
/// themselves, and without any a cell could fold.
constexpr double least_kept = 0.25;

}  // namespace

double torsion_constant(double width) {
  const double longer = std::max(width, 1.0), t = std::min(width, 1.0), ratio = longer / t;
  double sum = 0.0;
  for (int n = 1; n < 40; n += 2) {
    sum += std::tanh(0.5 * std::numbers::pi * n * ratio) / std::pow(n, 5);
  }
  return longer * t * t * t / 3.0 * (1.0 - 192.0 / std::pow(std::numbers::pi, 5) / ratio * sum);
}

double layer_torsion_constant(double width, int cells, double kept, double shear) {
  // A section that warps as t f(z) across its thickness t, twisted by 1, has shears 2 - g' along
  // its height z (times t) and g = z - f across: J is the least of the integral of g^2 + k (2 -
  // g')^2 / 12, k being what is kept; of the mean of g in a cell only `shear` counts. g is linear
  // in each cell: a tridiagonal system, eliminated from one end to the other.
  const double h = width / cells;
  double energy = 0.0;                 // of what does not depend on g at the nodes ahead
  double diagonal = 0.0, slope = 0.0;  // energy + diagonal g^2 / 2 - slope g, at the last node
  for (int cell = 0; cell < cells; ++cell) {
    const double k = (cell == 0 || cell == cells - 1 ? kept : 1.0) / 12.0;
    // Of both ends: (a / 2)(g0^2 + g1^2) + b g0 g1 + c (g0 - g1) + 4 k h.
    const double same = 0.5 * shear * h, opposite = h / 6.0 + 2.0 * k / h, c = 4.0 * k;
    const double a = same + opposite, b = same - opposite;
    energy += 4.0 * k * h;
    const double pivot = diagonal + a, pull = slope - c;
    energy -= 0.5 * pull * pull / pivot;
    diagonal = a - b * b / pivot;
    slope = c - b * pull / pivot;
  }
  return energy - 0.5 * slope * slope / diagonal;
}

double twist_factor(double width, int cells, double shear) {
  const double h = width / cells;
  if (cells > longest_row) {
    cells = longest_row;
    width = h * cells;
  }
  const double aim = torsion_constant(width);
  double low = least_kept, high = 1.0;
  if (layer_torsion_constant(width, cells, low, shear) >= aim) return low;
  while (high - low > 1e-12) {
    const double middle = 0.5 * (low + high);
    (layer_torsion_constant(width, cells, middle, shear) > aim ? high : low) = middle;
  }
  return high;
}

double least_shear(double width, int cells) {
  const double aim = torsion_constant(width);
  double low = 0.0, high = 1.0;
  while (high - low > 1e-6) {
    const double middle = 0.5 * (low + high);
    (layer_torsion_constant(width, cells, 1.0, middle) > aim ? high : low) = middle;
  }
  return high;
}

std::vector<double> twist_factors(const geometry::HexMesh& mesh,
                                  const std::vector<geometry::HexRows>& rows,
                                  const std::vector<std::array<double, 3>>& shears) {
  std::vector<double> factors(mesh.hexes.size(), 1.0);
  if (!geometry::is_layer(rows)) return factors;
  std::map<std::tuple<double, int, double>, double> known;
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) {
    const auto sides = geometry::mean_sides(mesh, mesh.hexes[e]);
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const geometry::HexRow& row = rows[e][axis];
      // Long parts twist along their length only, up to their ends.
      if (!row.has_free_end_here() || geometry::is_long(rows[e], axis)) continue;
      const double width = seven_digits(row.cells * sides[axis] / sides[2]);
      const double shear = shears[e][2 - (axis == 0 ? 1 : 0)];
      const auto [at, is_new] = known.try_emplace({width, row.cells, shear});
      if (is_new) at->second = twist_factor(width, row.cells, shear);
      factors[e] = std::max(least_kept, factors[e] + at->second - 1.0);
    }
  }
  return factors;
}

}  // namespace peal::elastic

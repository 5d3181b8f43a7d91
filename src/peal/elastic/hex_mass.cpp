#include <peal/elastic/hex_mass.h>
#include <peal/elastic/hex_stiffness.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>

namespace peal::elastic {
namespace {

/// Rotary inertia of cells beyond that of the wall, over that of their own length, h^2/12 [1]. The
/// pitch of waves along rows of cells is too high as if all of that was missing, the pitch of
/// oblique waves is too low, and in the mean over all directions (3 - nu)/16 is missing
/// (docs/theory/elastic.md). Modes of plates and bowls are nearer to the mean; a larger value makes
/// steps longer.
constexpr double missing_inertia = 1.0 / 3.0;

/// Fractions of the mass at the corners of a cell on its low side along an axis, and on its high
/// side, that are moved to the other side [1].
///
/// Integrals of the trilinear functions alone are the trapezoidal rule, which overestimates what
/// grows towards a free side: moments of inertia, and the kinetic energy of rims and tips.
/// Gregory's rule with two differences corrects this, up to cubic terms, with weights 3/8, 7/6,
/// 23/24, 1, ... for the nodes of a row; for two cells it is Simpson's rule, for three his 3/8
/// rule. `turning` is the rotary inertia of facing nodes beyond that of the wall, over that of a
/// cell, h^2/12; it is subtracted from that of the row.
std::array<double, 2> moved_in_layer(const geometry::HexRow& row, double turning) {
  if (row.cells < 2) return {0.0, 0.0};
  const double end = 1.0 / 4.0 + turning / 12.0 * row.cells / (row.cells - 1.0);
  constexpr double next = 1.0 / 12.0;  // from the third node to the second
  return {(row.before == 0 ? end : 0.0) + (row.after == 1 ? next : 0.0),
          (row.after == 0 ? end : 0.0) + (row.before == 1 ? next : 0.0)};
}

/// The same fractions by Gregory's rule with one difference (5/12, 13/12, 1, ...).
std::array<double, 2> moved_in_block(const geometry::HexRow& row) {
  constexpr double end = 1.0 / 6.0;
  if (row.cells < 2) return {0.0, 0.0};
  return {row.before == 0 ? end : 0.0, row.after == 0 ? end : 0.0};
}

std::array<double, 8> corner_volumes(const HexCorners& corners, const geometry::HexRows& rows,
                                     const std::array<double, 2>& turning, bool is_layer) {
  std::array<double, 8> own = hex_corner_volumes(corners);
  for (std::size_t axis = 0; axis < (is_layer ? 2 : 3); ++axis) {
    const std::array<double, 2> moved =
        is_layer ? moved_in_layer(rows[axis], turning[axis]) : moved_in_block(rows[axis]);
    for (int i = 0; i < 4; ++i) {
      double& low = own[geometry::hex_sides[axis][0][i]];
      double& high = own[geometry::hex_sides[axis][1][i]];
      const double up = moved[0] * low - moved[1] * high;
      low -= up;
      high += up;
    }
  }
  return own;
}

/// Pairs of nodes at both ends of edges along t. Where a layer ends on the corner of another, its
/// nodes face those of the corner.
std::vector<FacingNodes> facing_nodes(const geometry::HexMesh& mesh) {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> partner(mesh.vertices.size(), none);
  for (const geometry::Hex& hex : mesh.hexes) {
    for (int c = 0; c < 4; ++c) {
      const std::uint32_t a = hex[c], b = hex[c + 4];
      if (partner[a] != none || partner[b] != none) continue;
      partner[a] = b;
      partner[b] = a;
    }
  }
  std::vector<FacingNodes> pairs;
  for (std::uint32_t n = 0; n < partner.size(); ++n) {
    if (partner[n] != none && n < partner[n]) pairs.push_back({{n, partner[n]}, 1.0});
  }
  return pairs;
}

/// Pairs of `across` that face each other, where all rows along r, or all along s, have one cell.
std::vector<std::array<std::uint32_t, 4>> rods_of(const geometry::HexMesh& mesh,
                                                  const std::vector<geometry::HexRows>& rows) {
  const auto is_single = [&](std::size_t axis) {
    return std::ranges::all_of(rows,
                               [&](const geometry::HexRows& row) { return row[axis].cells == 1; });
  };
  if (is_single(0) == is_single(1)) return {};
  const int beside = is_single(0) ? 0 : 1, along = 1 - beside;
  std::map<std::uint32_t, std::array<std::uint32_t, 4>> rods;  // by their first node
  for (const geometry::Hex& hex : mesh.hexes) {
    for (const int end : {0, 1 << along}) {
      const int other = end | 1 << beside;
      rods[hex[end]] = {hex[end], hex[end | 4], hex[other], hex[other | 4]};
    }
  }
  std::vector<std::array<std::uint32_t, 4>> all;
  for (const auto& [first, rod] : rods) all.push_back(rod);
  return all;
}

/// Raises the inertia of small cells against relative motion across the layer to that of the mean,
/// because otherwise they would determine the step. Thicker cells move apart more slowly by
/// themselves.
void lengthen_step(const geometry::HexMesh& mesh, Solid& solid) {
  const auto thickness = [&](const FacingNodes& pair) {
    return (mesh.vertices[pair.nodes[1]] - mesh.vertices[pair.nodes[0]]).norm();
  };
  double apart = 0.0, thick = 0.0, mass = 0.0;  // sums
  for (const FacingNodes& pair : solid.across) {
    const double both = solid.mass[pair.nodes[0]] + solid.mass[pair.nodes[1]];
    apart += both * pair.apart;
    thick += both * thickness(pair);
    mass += both;
  }
  for (FacingNodes& pair : solid.across) {
    const double ratio = std::min(1.0, thick / mass / thickness(pair));
    pair.apart = std::max(pair.apart, apart / mass * ratio * ratio);
  }
}

}  // namespace

void add_mass(const geometry::HexMesh& mesh, const std::vector<geometry::HexRows>& rows,
              Solid& solid) {
  const bool is_layer = geometry::is_layer(rows);
  std::vector<double> apart(mesh.vertices.size()), cells(apart);
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) {
    const auto sides = geometry::mean_sides(mesh, mesh.hexes[e]);
    // In a rod of one cell, the shear factor makes up for the missing inertia (bending.h).
    const bool is_rod = rows[e][0].cells == 1 || rows[e][1].cells == 1;
    const double turning =
        is_rod ? 0.0 : missing_inertia * std::pow(std::min(sides[0], sides[1]), 2);
    const auto volumes = corner_volumes(
        corners_of(mesh, mesh.hexes[e]), rows[e],
        {turning / (sides[0] * sides[0]), turning / (sides[1] * sides[1])}, is_layer);
    for (int c = 0; c < 8; ++c) {
      const std::uint32_t node = mesh.hexes[e][c];
      solid.mass[node] += solid.material.density * volumes[c];
      apart[node] += (1.0 + turning / (sides[2] * sides[2])) / 3.0;
      cells[node] += 1.0;
    }
  }
  if (!is_layer) return;
  solid.across = facing_nodes(mesh);
  for (FacingNodes& pair : solid.across) pair.apart = apart[pair.nodes[0]] / cells[pair.nodes[0]];
  lengthen_step(mesh, solid);
  solid.rods = rods_of(mesh, rows);
}

}  // namespace peal::elastic

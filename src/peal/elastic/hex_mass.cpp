#include <peal/elastic/hex_mass.h>
#include <peal/elastic/hex_stiffness.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>

namespace peal::elastic {
namespace {

/// Thickness over width of cells [1] from which a layer has its own rotary inertia, not that of
/// lumps on both faces: at eleven cells to a wave bending would be flat by 1 % and more
/// (docs/theory/elastic.md).
constexpr double chunky = 0.6;
/// The same of layers in which some cells are thicker than wide: their steps would be the shorter
/// for it, and what they lose is as much as what their stiffness gains.
constexpr double tall = 1.0;
/// Part of its frequency by which a strip may twist too slowly for the same reason [1]: shorter
/// steps are the price of less.
constexpr double twist_tolerance = 0.0075;

/// Part of what corners at the end of a row have that goes to those behind them [1].
///
/// Integrals of the trilinear functions alone are the trapezoidal rule, which overrates what grows
/// towards a free side by h^2/12 of its slope there: moments of inertia, and the kinetic energy of
/// rims and tips. Moving h/12 from the last node to the last but one takes that off (Gregory's rule
/// with one difference). In short rows, h/12 n/(n - 1) makes the second moment of n cells exact,
/// with Simpson's rule for two; in longer ones Gregory's is right to 2/n^3.
double moved_inwards(int cells) {
  constexpr int longest_exact = 8;
  return cells <= longest_exact ? cells / (6.0 * (cells - 1)) : 1.0 / 6.0;
}

std::array<double, 8> corner_volumes(const HexCorners& corners, const geometry::HexRows& rows,
                                     bool is_layer) {
  std::array<double, 8> own = hex_corner_volumes(corners);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const geometry::HexRow& row = rows[axis];
    if (!row.has_end_here() || row.cells == 1) continue;
    const double part = is_layer ? moved_inwards(row.cells) : 1.0 / 6.0;
    for (const int corner : geometry::hex_sides[axis][row.ends_high]) {
      const double moved = part * own[corner];
      own[corner] -= moved;
      own[corner ^ (1 << axis)] += moved;
    }
  }
  return own;
}

/// The nodes at both ends of edges along t; nothing if a node has two such edges (several layers).
std::vector<std::array<std::uint32_t, 2>> facing_nodes(const geometry::HexMesh& mesh) {
  constexpr auto none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> partner(mesh.vertices.size(), none);
  for (const geometry::Hex& hex : mesh.hexes) {
    for (int c = 0; c < 4; ++c) {
      const std::uint32_t a = hex[c], b = hex[c + 4];
      if ((partner[a] != none && partner[a] != b) || (partner[b] != none && partner[b] != a)) {
        return {};
      }
      partner[a] = b;
      partner[b] = a;
    }
  }
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (std::uint32_t n = 0; n < partner.size(); ++n) {
    if (partner[n] != none && n < partner[n]) pairs.push_back({n, partner[n]});
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

/// The mass against moving apart, over that of lumps, with which a layer twists at its pitch but
/// for the tolerance. Bodies of width b and thickness t twist as if they had (b^2 + 3 a t^2) / 12
/// for (b^2 + t^2) / 12.
double twisting_mass(const geometry::HexMesh& mesh, const std::vector<geometry::HexRows>& rows) {
  double slender = 0.0;  // the mean of (t / b)^2 [1]
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) {
    const auto sides = geometry::mean_sides(mesh, mesh.hexes[e]);
    double most = 0.0;
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (rows[e][axis].cells == 0) continue;
      most = std::max(most, sides[2] / (sides[axis] * rows[e][axis].cells));
    }
    slender += most * most / static_cast<double>(mesh.hexes.size());
  }
  return std::min(1.0, (1.0 + 2.0 * twist_tolerance / slender) / 3.0);
}

}  // namespace

void add_mass(const geometry::HexMesh& mesh, const std::vector<geometry::HexRows>& rows,
              HexElement element, Solid& solid) {
  const bool is_layer = geometry::is_layer(rows);
  for (std::size_t e = 0; e < mesh.hexes.size(); ++e) {
    const auto volumes = corner_volumes(corners_of(mesh, mesh.hexes[e]), rows[e], is_layer);
    for (int c = 0; c < 8; ++c) {
      solid.mass[mesh.hexes[e][c]] += solid.material.density * volumes[c];
    }
  }
  if (!is_layer) return;
  solid.across = facing_nodes(mesh);
  solid.rods = rods_of(mesh, rows);
  const double least = element == HexElement::solid_shell ? chunky : tall;
  solid.mass_across = geometry::flatness(mesh) > least ? 1.0 / 3.0 : twisting_mass(mesh, rows);
}

}  // namespace peal::elastic

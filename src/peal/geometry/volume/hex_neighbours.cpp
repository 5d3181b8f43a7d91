#include <peal/geometry/volume/hex_neighbours.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace peal::geometry {
namespace {

constexpr auto no_cell = std::numeric_limits<std::uint32_t>::max();

}  // namespace

HexNeighbours::HexNeighbours(const HexMesh& mesh) : behind_(6 * mesh.hexes.size(), {no_cell, 0}) {
  std::map<std::array<std::uint32_t, 4>, HexSide> open;
  for (std::uint32_t cell = 0; cell < mesh.hexes.size(); ++cell) {
    for (int side = 0; side < 6; ++side) {
      std::array<std::uint32_t, 4> key;
      for (std::size_t k = 0; k < 4; ++k) {
        key[k] = mesh.hexes[cell][static_cast<std::size_t>(hex_sides[side / 2][side % 2][k])];
      }
      std::ranges::sort(key);
      const HexSide here{cell, side};
      const auto [at, is_new] = open.try_emplace(key, here);
      if (is_new) continue;
      behind_[number(at->second)] = here;
      behind_[number(here)] = at->second;
    }
  }
}

bool HexNeighbours::is_free(const HexSide& at) const {
  return behind(at).cell == no_cell;
}

}  // namespace peal::geometry

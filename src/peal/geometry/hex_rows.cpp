#include <peal/geometry/hex_rows.h>

#include <algorithm>
#include <limits>
#include <map>

namespace peal::geometry {
namespace {

/// A side of a cell: 2 * axis, and 1 more for the high one.
struct CellSide {
  std::uint32_t cell;
  int side;
};
constexpr CellSide no_side = {std::numeric_limits<std::uint32_t>::max(), 0};

/// What lies behind each side of each cell.
class Neighbours {
 public:
  explicit Neighbours(const HexMesh& mesh) : behind_(6 * mesh.hexes.size(), no_side) {
    std::map<std::array<std::uint32_t, 4>, CellSide> open;
    for (std::uint32_t cell = 0; cell < mesh.hexes.size(); ++cell) {
      for (int side = 0; side < 6; ++side) {
        std::array<std::uint32_t, 4> key;
        for (std::size_t k = 0; k < 4; ++k) {
          key[k] = mesh.hexes[cell][static_cast<std::size_t>(hex_sides[side / 2][side % 2][k])];
        }
        std::ranges::sort(key);
        const auto [at, is_new] = open.try_emplace(key, CellSide{cell, side});
        if (is_new) continue;
        (*this)[at->second] = {cell, side};
        (*this)[{cell, side}] = at->second;
      }
    }
  }

  CellSide& operator[](const CellSide& at) {
    return behind_[6 * static_cast<std::size_t>(at.cell) + static_cast<std::size_t>(at.side)];
  }
  bool is_free(const CellSide& at) { return (*this)[at].cell == no_side.cell; }
  /// Whether one cell is met across its layer, the other one along its own.
  bool is_joint(const CellSide& at) {
    return !is_free(at) && (at.side / 2 == 2) != ((*this)[at].side / 2 == 2);
  }
  bool is_end(const CellSide& at) { return is_free(at) || is_joint(at); }

 private:
  std::vector<CellSide> behind_;
};

}  // namespace

std::vector<HexRows> rows_of(const HexMesh& mesh) {
  Neighbours neighbours(mesh);
  std::vector<HexRows> rows(mesh.hexes.size());
  for (std::uint32_t first = 0; first < mesh.hexes.size(); ++first) {
    for (int side = 0; side < 6; ++side) {
      if (!neighbours.is_end({first, side})) continue;
      if (neighbours.is_joint({first, side})) rows[first][side / 2].is_joint[side % 2] = true;
      // From this end through the row to the other; `at` is where the row comes into a cell.
      std::vector<CellSide> row = {{first, side}};
      for (CellSide out = {first, side ^ 1}; !neighbours.is_end(out);) {
        row.push_back(neighbours[out]);
        out = {row.back().cell, row.back().side ^ 1};
      }
      for (std::size_t k = 0; k < row.size(); ++k) {
        HexRow& here = rows[row[k].cell][static_cast<std::size_t>(row[k].side / 2)];
        here.cells = static_cast<int>(row.size());
        (row[k].side % 2 == 0 ? here.before : here.after) = static_cast<int>(k);
      }
    }
  }
  return rows;
}

bool is_layer(const std::vector<HexRows>& rows) {
  return std::ranges::all_of(rows, [](const HexRows& row) { return row[2].cells == 1; });
}

}  // namespace peal::geometry

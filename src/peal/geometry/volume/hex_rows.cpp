#include <peal/geometry/volume/hex_rows.h>

#include <algorithm>

namespace peal::geometry {

std::vector<HexRows> rows_of(const HexMesh& mesh) {
  const HexNeighbours neighbours(mesh);
  const auto is_end = [&](const HexSide& at) {
    return neighbours.is_free(at) || neighbours.is_joint(at);
  };
  std::vector<HexRows> rows(mesh.hexes.size());
  for (std::uint32_t first = 0; first < mesh.hexes.size(); ++first) {
    for (int side = 0; side < 6; ++side) {
      if (!is_end({first, side})) continue;
      if (neighbours.is_joint({first, side})) rows[first][side / 2].is_joint[side % 2] = true;
      // From this end through the row to the other; `at` is where the row comes into a cell.
      std::vector<HexSide> row = {{first, side}};
      for (HexSide out = row.back().opposite(); !is_end(out); out = row.back().opposite())
        row.push_back(neighbours.behind(out));
      for (std::size_t k = 0; k < row.size(); ++k) {
        HexRow& here = rows[row[k].cell][static_cast<std::size_t>(row[k].axis())];
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

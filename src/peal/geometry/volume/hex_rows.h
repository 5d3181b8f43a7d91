#pragma once

#include <peal/geometry/volume/hex_neighbours.h>

#include <array>
#include <vector>

namespace peal::geometry {

/// A row of cells that are connected through opposite faces, from one free face to another, or to a
/// joint where the layer meets a face of another layer across it.
struct HexRow {
  int cells = 0;              ///< 0 if the row goes around and has no ends
  int before = 0, after = 0;  ///< number of cells on the low and on the high side of a given cell
  /// Whether the row ends in a joint on the low and on the high side.
  std::array<bool, 2> is_joint = {};

  bool has_free_end_here() const {
    return cells > 0 && ((before == 0 && !is_joint[0]) || (after == 0 && !is_joint[1]));
  }
};

/// The rows through a cell along its r, s and t.
using HexRows = std::array<HexRow, 3>;

std::vector<HexRows> rows_of(const HexMesh& mesh);

/// Whether a layer is more than twice as long along r or s as across, in cells.
inline bool is_long(const HexRows& rows, std::size_t axis) {
  const int across = rows[1 - axis].cells;
  return across > 0 && rows[axis].cells > 2 * across;
}

/// Whether a cell is the corner of two layers, or of a layer with a bend: one of them ends at it.
inline bool is_corner(const HexRows& rows) {
  return rows[2].is_joint[0] || rows[2].is_joint[1];
}

/// Whether no cells are stacked along t.
bool is_layer(const std::vector<HexRows>& rows);

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/hex_mesh.h>

#include <array>
#include <vector>

namespace peal::geometry {

/// Cells that follow each other through opposite faces, from a free face to a free face.
struct HexRow {
  int cells = 0;            ///< 0 if the row goes around and has no ends
  bool begins_low = false,  ///< whether a cell's own low (high) face is an end of the row
      ends_high = false;

  bool has_end_here() const { return begins_low || ends_high; }
};

/// The rows through a cell along its r, s and t.
using HexRows = std::array<HexRow, 3>;

std::vector<HexRows> rows_of(const HexMesh& mesh);

/// Whether no cell lies upon another along t.
bool is_layer(const std::vector<HexRows>& rows);

}  // namespace peal::geometry

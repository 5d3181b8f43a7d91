#pragma once

#include <peal/geometry/hex_mesh.h>

namespace peal::geometry {

// Built-in shapes cut into hexahedra, as those of shapes.h: Y is up, and boxes have their middle at
// the origin. Impossible sizes throw std::invalid_argument with a sentence that says what would be
// right.

/// Cells of a box along x, y, z. The third direction of cells is that of `across` (0, 1, 2).
HexMesh box_hexes(const Vec3& size, const std::array<int, 3>& divisions, int across);

}  // namespace peal::geometry

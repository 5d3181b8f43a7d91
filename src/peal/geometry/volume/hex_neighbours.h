#pragma once

#include <peal/geometry/volume/hex_mesh.h>

#include <cstdint>
#include <vector>

namespace peal::geometry {

/// The corners of both sides of a cell along r, s and t, low ones first.
inline constexpr int hex_sides[3][2][4] = {
    {{0, 2, 4, 6}, {1, 3, 5, 7}}, {{0, 1, 4, 5}, {2, 3, 6, 7}}, {{0, 1, 2, 3}, {4, 5, 6, 7}}};

/// A side of a cell: 2 * axis for the low side, 2 * axis + 1 for the high side.
struct HexSide {
  std::uint32_t cell = 0;
  int side = 0;

  int axis() const { return side / 2; }
  HexSide opposite() const { return {cell, side ^ 1}; }
};

/// The neighbour at each side of each cell.
class HexNeighbours {
 public:
  explicit HexNeighbours(const HexMesh& mesh);

  bool is_free(const HexSide& at) const;
  /// The adjacent side of the neighbour, if the side is not free.
  const HexSide& behind(const HexSide& at) const { return behind_[number(at)]; }
  /// Whether the side is across the layer of one cell and along that of the other.
  bool is_joint(const HexSide& at) const {
    return !is_free(at) && (at.axis() == 2) != (behind(at).axis() == 2);
  }

 private:
  static std::size_t number(const HexSide& at) {
    return 6 * static_cast<std::size_t>(at.cell) + static_cast<std::size_t>(at.side);
  }

  std::vector<HexSide> behind_;
};

}  // namespace peal::geometry

#pragma once

#include <peal/geometry/mesh/vector.h>

#include <array>
#include <cmath>
#include <cstddef>

namespace peal::wave {

using geometry::Vec3;

/// Whole cell coordinates.
using Cell = std::array<int, 3>;

/// The neighbour of a cell across a face; faces are numbered -x, +x, -y, +y, -z, +z.
inline Cell beyond(Cell cell, int face) {
  cell[face / 2] += face % 2 ? 1 : -1;
  return cell;
}

/// A box of cubic cells, which alone maps positions to cells and back. Values are at cell centres.
struct Grid {
  Vec3 origin = Vec3::Zero();  ///< lowest corner of cell (0, 0, 0) [m]
  double cell_size = 0.01;     ///< h [m]
  Cell size = {1, 1, 1};       ///< cells along x, y, z

  std::size_t cells() const {
    return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
  }
  /// The index of a cell; x runs fastest.
  std::size_t index(const Cell& c) const {
    return (static_cast<std::size_t>(c[2]) * static_cast<std::size_t>(size[1]) +
            static_cast<std::size_t>(c[1])) *
               static_cast<std::size_t>(size[0]) +
           static_cast<std::size_t>(c[0]);
  }
  /// The cell of an index.
  Cell cell(std::size_t i) const {
    const auto nx = static_cast<std::size_t>(size[0]), ny = static_cast<std::size_t>(size[1]);
    return {static_cast<int>(i % nx), static_cast<int>(i / nx % ny), static_cast<int>(i / nx / ny)};
  }
  bool contains(const Cell& c) const {
    return c[0] >= 0 && c[1] >= 0 && c[2] >= 0 && c[0] < size[0] && c[1] < size[1] &&
           c[2] < size[2];
  }
  Vec3 centre(const Cell& c) const {
    return origin + cell_size * Vec3(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5);
  }
  /// The position in cells from the lowest corner: cell c spans [c, c + 1).
  Vec3 to_cells(const Vec3& position) const { return (position - origin) / cell_size; }
  Cell cell_of(const Vec3& position) const {
    const Vec3 p = to_cells(position);
    return {static_cast<int>(std::floor(p.x())), static_cast<int>(std::floor(p.y())),
            static_cast<int>(std::floor(p.z()))};
  }
};

}  // namespace peal::wave

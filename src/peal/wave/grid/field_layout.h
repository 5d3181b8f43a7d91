#pragma once

#include <peal/wave/grid/field.h>
#include <peal/wave/grid/grid.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace peal::wave {

/// The index of a value in the memory of a whole field. Grids have up to most_cells_along cells
/// along each axis, far more in all than 32 bits can count.
using CellIndex = std::uint64_t;

/// The largest number of cells of a grid along one axis. A layer of so many cells, with the padding
/// of its rows, is less than 2^31 values, so the distance of neighbours fits in 32 bits.
inline constexpr int most_cells_along = 4000;

/// Marks indices that are not in the field: those of the second and further subcells of split
/// cells.
inline constexpr CellIndex extra_index = CellIndex{1} << 63;

/// Maps cells to the indices of their values in the memory of a field.
struct FieldLayout {
  CellIndex offset = 0;                         ///< index of cell (0, 0, 0)
  std::array<CellIndex, 3> stride = {1, 0, 0};  ///< between neighbours along x, y, z

  /// The layout of the grid's own index, without padding.
  static FieldLayout packed(const Grid& grid) {
    const auto nx = static_cast<CellIndex>(grid.size[0]);
    return {.offset = 0, .stride = {1, nx, nx * static_cast<CellIndex>(grid.size[1])}};
  }
  CellIndex at(const Cell& c) const {
    return offset + static_cast<CellIndex>(c[0]) * stride[0] +
           static_cast<CellIndex>(c[1]) * stride[1] + static_cast<CellIndex>(c[2]) * stride[2];
  }
  /// The distance of the index from a cell to its neighbour across a face.
  std::int32_t step(int face) const {
    const auto distance = static_cast<std::int32_t>(stride[static_cast<std::size_t>(face / 2)]);
    return face % 2 ? distance : -distance;
  }
};

/// The layout of field.values().
template <class Real>
FieldLayout layout_of(const Field<Real>& field) {
  return {.offset = static_cast<CellIndex>(field.row(0, 0) - field.values().data()),
          .stride = {1, field.stride(), field.stride() * static_cast<CellIndex>(field.size()[1])}};
}

/// The layout of the values of a field of this size, and their number with padding.
template <class Real>
FieldLayout field_layout(const Cell& size) {
  const auto row =
      static_cast<CellIndex>(AlignedArray<Real>::row_stride(static_cast<std::size_t>(size[0]) + 2));
  return {.offset = AlignedArray<Real>::line,
          .stride = {1, row, row * static_cast<CellIndex>(size[1])}};
}
template <class Real>
std::size_t field_values(const Cell& size) {
  return static_cast<std::size_t>(field_layout<Real>(size).stride[2]) *
             static_cast<std::size_t>(size[2]) +
         2 * AlignedArray<Real>::line;
}

/// Throws InputError, with the number of cells and a hint, if a grid has more than most_cells_along
/// along an axis, which would overflow indices.
void check_size(const Grid& grid);

/// Pressures by index, of the field and of further subcells of split cells.
template <class Real>
struct NodePressures {
  std::span<const Real> field, extra;

  Real at(CellIndex index) const {
    return index & extra_index ? extra[index & ~extra_index] : field[index];
  }
};

}  // namespace peal::wave

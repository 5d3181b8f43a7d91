#pragma once

#include <peal/wave/grid/aligned_array.h>
#include <peal/wave/grid/grid.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace peal::wave {

/// One value per cell of a grid, in rows along x that start on half cache lines.
///
/// Each row has one value before its first cell and one after its last, row[-1] and row[size], that
/// a kernel may fill with values beyond the grid; they and all padding are initially 0. Rows occupy
/// whole halves of cache lines: grids whose x size is a multiple of 8 less 2 waste nothing (in
/// float), and small ones stay in a small cache.
template <class Real>
class Field {
 public:
  explicit Field(const Cell& size)
      : size_(size),
        stride_(AlignedArray<Real>::row_stride(static_cast<std::size_t>(size[0]) + 2)),
        values_(stride_ * static_cast<std::size_t>(size[1]) * static_cast<std::size_t>(size[2]) +
                2 * AlignedArray<Real>::line) {}

  const Cell& size() const { return size_; }
  std::size_t stride() const { return stride_; }  ///< values from one row to the next
  std::size_t bytes() const { return values_.bytes(); }

  Real* row(int y, int z) { return values_.data() + row_offset(y, z); }
  const Real* row(int y, int z) const { return values_.data() + row_offset(y, z); }
  /// All values and their padding, in memory order.
  std::span<Real> values() { return {values_.data(), values_.size()}; }
  std::span<const Real> values() const { return {values_.data(), values_.size()}; }
  Real& operator[](const Cell& c) { return row(c[1], c[2])[c[0]]; }
  Real operator[](const Cell& c) const { return row(c[1], c[2])[c[0]]; }

  void clear() { std::fill_n(values_.data(), values_.size(), Real(0)); }
  void swap(Field& other) { std::swap(*this, other); }

 private:
  std::size_t row_offset(int y, int z) const {
    return AlignedArray<Real>::line +
           stride_ * (static_cast<std::size_t>(z) * static_cast<std::size_t>(size_[1]) +
                      static_cast<std::size_t>(y));
  }

  Cell size_;
  std::size_t stride_;
  AlignedArray<Real> values_;
};

/// Calls `visit(cell)` for every cell, x fastest.
template <class Visit>
void for_each_cell(const Cell& size, Visit&& visit) {
  for (int z = 0; z < size[2]; ++z) {
    for (int y = 0; y < size[1]; ++y) {
      for (int x = 0; x < size[0]; ++x) visit(Cell{x, y, z});
    }
  }
}

}  // namespace peal::wave

#pragma once

#include <Eigen/Core>

namespace peal::fem {

/// Right-hand sides that are solved together; those of one row are contiguous.
inline constexpr Eigen::Index rhs_lanes = 16;

/// Rows per tile, contiguous in memory.
inline constexpr Eigen::Index tile = 8;

/// The number of rows, rounded up to whole tiles.
constexpr Eigen::Index padded(Eigen::Index rows) {
  return (rows + tile - 1) / tile * tile;
}

/// A panel of L: `width` rows that are lower triangular, then `below` further ones, both padded
/// with zeros to whole tiles. Tiles are stored by columns; a tile of the triangle ends with the
/// last column of its rows. All operations therefore read a panel from one end to the other, at
/// memory bandwidth.
struct PanelShape {
  Eigen::Index width = 0, below = 0;

  Eigen::Index height() const { return padded(width) + padded(below); }
  /// The number of entries in the tiles of the triangle, and in all tiles.
  Eigen::Index triangle_size() const;
  Eigen::Index size() const { return triangle_size() + padded(below) * width; }
};

/// Packs a panel from the columns of a front, each `height` numbers apart: first the rows of the
/// triangle, then those below.
void pack(const PanelShape& shape, const double* front, Eigen::Index height, double* panel);

/// Eliminates the columns of a panel of A in place: L_1 of A_1 = L_1 L_1^T and L_2 = A_2 L_1^-T.
/// False if A_1 is not positive definite.
bool eliminate(const PanelShape& shape, double* panel);

/// C -= L_2 L_2^T for the rows below the triangle. C is stored by columns, padded(below) by
/// padded(below); its entries above the diagonal are undefined afterwards.
void subtract_square(const PanelShape& shape, const double* panel, double* c);

/// z_1 := L_1^-1 z_1 for the triangle, then z_2 := L_2 z_1 for the rows below. `z` holds rhs_lanes
/// numbers for each row of the panel, padding included.
void forward(const PanelShape& shape, const double* panel, double* z);

/// z_1 := L_1^-T (z_1 - L_2^T z_2).
void backward(const PanelShape& shape, const double* panel, double* z);

}  // namespace peal::fem

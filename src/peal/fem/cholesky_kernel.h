#pragma once

#include <Eigen/Core>

namespace peal::fem {

/// Right-hand sides that are solved at once; those of one row lie together.
inline constexpr Eigen::Index rhs_lanes = 16;

/// Rows of a panel that lie together.
inline constexpr Eigen::Index tile = 8;

/// Whole tiles that hold so many rows, in rows.
constexpr Eigen::Index padded(Eigen::Index rows) {
  return (rows + tile - 1) / tile * tile;
}

/// A panel of L: `width` rows that are lower triangular, then `below` further ones, both filled up
/// with zeros to whole tiles. A tile is kept column by column; one of the triangle ends with the
/// last column that its rows have. So all that is done with a panel reads it from one end to the
/// other, which is as fast as memory can be read.
struct PanelShape {
  Eigen::Index width = 0, below = 0;

  Eigen::Index height() const { return padded(width) + padded(below); }
  /// Numbers in the triangle's tiles and in all.
  Eigen::Index triangle_size() const;
  Eigen::Index size() const { return triangle_size() + padded(below) * width; }
};

/// Writes a panel from the columns of a front, each `height` numbers after the other: rows of the
/// triangle first, right after them those below.
void pack(const PanelShape& shape, const double* front, Eigen::Index height, double* panel);

/// Eliminates the columns of a panel of A in place: L_1 of A_1 = L_1 L_1^T and L_2 = A_2 L_1^-T.
/// False if A_1 is not positive definite.
bool eliminate(const PanelShape& shape, double* panel);

/// C -= L_2 L_2^T for the rows below the triangle. C is kept column by column, padded(below) by
/// padded(below); above its diagonal there may be anything afterwards.
void subtract_square(const PanelShape& shape, const double* panel, double* c);

/// z_1 := L_1^-1 z_1 for the triangle, then z_2 := L_2 z_1 for the rows below. `z` holds rhs_lanes
/// numbers for each row of the panel, filling ones included.
void forward(const PanelShape& shape, const double* panel, double* z);

/// z_1 := L_1^-T (z_1 - L_2^T z_2).
void backward(const PanelShape& shape, const double* panel, double* z);

}  // namespace peal::fem

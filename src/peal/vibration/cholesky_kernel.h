#pragma once

#include <Eigen/Core>

namespace peal::vibration {

/// Right-hand sides that are solved at once; those of one row lie together.
inline constexpr Eigen::Index rhs_lanes = 16;

/// A panel of L: `height` by `width`, column by column, its first `width` rows lower triangular.
/// `z` holds rhs_lanes numbers for each row of the panel.
struct PanelView {
  const double* values;
  Eigen::Index height, width;
};

/// z_1 := L_1^-1 z_1 for the triangle on top, then z_2 := L_2 z_1 for the rows below.
void forward(const PanelView& panel, double* z);

/// z_1 := L_1^-T (z_1 - L_2^T z_2).
void backward(const PanelView& panel, double* z);

}  // namespace peal::vibration

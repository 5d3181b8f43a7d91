#pragma once

#include <array>

namespace peal::wave {

/// The boundary condition on one side of the grid.
enum class Side {
  rigid,            ///< a hard wall: no flow through the outermost faces
  absorbing_layer,  ///< the outermost cells absorb waves (cpml.h)
  engquist_majda,   ///< a condition at the outermost faces (engquist_majda.h)
};

/// One boundary condition each for low x, high x, low y, high y, low z, high z.
using Sides = std::array<Side, 6>;

inline constexpr Sides all_sides(Side side) {
  return {side, side, side, side, side, side};
}

}  // namespace peal::wave

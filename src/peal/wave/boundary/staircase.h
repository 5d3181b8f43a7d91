#pragma once

#include <peal/wave/boundary/cut_geometry.h>

#include <functional>

namespace peal::wave {

/// Decides which of the cells that a surface touches are filled; `open` is the open fraction of the
/// cell.
using IsFilled = std::function<bool(const Cell& cell, double open)>;

/// The first-order boundary, for comparison: every cell is all air or all solid, and V and A are 1
/// or 0. By default a cell is solid if less than half of it is open, which for flat walls means
/// that its centre is. Plates thinner than half a cell vanish.
///
/// The wall of a part in a cell is the sum over the closed faces of the cell, each projected on the
/// true normals of the walls nearby, so that the areas of a curved wall add up to about the true
/// area and not to that of the stairs.
CutGeometry staircase(const Grid& grid, const CutGeometry& cut, const IsFilled& is_filled = {});

}  // namespace peal::wave

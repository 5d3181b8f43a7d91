#pragma once

#include <peal/wave/boundary/boundary_plan.h>

#include <array>
#include <cstdint>

namespace peal::wave {

/// A node of the list, ready to step. Its neighbours are given relative to the cell: 32 bits hold
/// these distances in any grid (field_layout.h), and a node stays small.
template <class Real>
struct CutNode {
  CellIndex cell;  ///< index of its value
  /// Indices of the values of its neighbours, relative to `cell`; 0 behind faces that stay closed,
  /// such as all faces of a split cell.
  std::array<std::int32_t, cell_faces> step;
  std::array<Real, face_lanes> area;  ///< A
  Real inertia;                       ///< Vs^old / Vs^new; exactly 1 at rest
  Real gain;                          ///< lambda^2 / Vs^new; 0 in a cell without open faces

  bool is_extra() const { return cell & extra_index; }
  /// The index of a neighbour's value, for a node in the field.
  CellIndex neighbour(int face) const {
    return cell + static_cast<CellIndex>(std::int64_t{step[static_cast<std::size_t>(face)]});
  }
};

}  // namespace peal::wave

#pragma once

#include <peal/wave/boundary/cut_interval.h>
#include <peal/wave/grid/field_layout.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace peal::wave {

/// Values of a node's faces, and two zeros, so that all are worked on at once.
inline constexpr int face_lanes = 8;

/// V and A of a node as linear functions of the time t in an interval, 0 to 1.
struct NodeCoefficients {
  Cell cell;
  double volume, volume_change;
  std::array<double, face_lanes> area{}, area_change{};

  bool moves() const;
};

/// What a node of an interval hands to a node of the next one.
struct NodeTransfer {
  CellIndex to, from;  ///< indices of values
  double weight;       ///< volume handed over; 0: nothing, the value is cleared
};

/// In place of a volume: of sides that have just been joined or parted, which move no wall.
inline constexpr double volume_as_now = -1;

/// Everything that the cut-cell scheme does between two keys, apart from the arithmetic on the
/// field: plain data that depends on the geometry alone.
struct BoundaryPlan {
  std::size_t listed = 0;  ///< nodes of the interval; those that follow are whole again
  std::vector<NodeCoefficients> coefficients;  ///< by node
  std::vector<CellIndex> indices;              ///< of the nodes' values
  std::vector<std::uint32_t> moving;           ///< numbers of nodes that change on the way
  std::vector<SolidRun> solid;                 ///< at both keys
  std::vector<CellIndex> sealed;               ///< indices of cells that have become solid
  std::vector<CellIndex> behind;               ///< indices of solid cells next to nodes
  std::vector<SplitCell> split, split_end;     ///< at the start and the end of the interval
  std::size_t extras = 0;                      ///< values of further subcells
  std::vector<NodeTransfer> transfers;         ///< by the place they go to
  std::vector<double> volume;                  ///< Vs by node before the first step

  /// The number of a cell's first node among those listed.
  std::optional<std::size_t> number_of(const Grid& grid, const Cell& cell) const;
  /// Where the value of the air at a position within the grid lies at time t of the interval: in a
  /// split cell, that of the position's side.
  CellIndex index_at(const Grid& grid, const FieldLayout& layout, const Vec3& position,
                     double t) const;
};

/// The plan of an interval that follows on `before`, whose nodes have the volumes `volume` now.
/// Cells that are no longer cut stay at the end of the list, whole, to hand over their volume, or
/// are sealed if they have become solid. Throws InputError if the nodes are more than 32 bits
/// count.
BoundaryPlan plan_boundary(const Grid& grid, const FieldLayout& layout, const CutInterval& interval,
                           const BoundaryPlan& before, std::span<const double> volume);

}  // namespace peal::wave

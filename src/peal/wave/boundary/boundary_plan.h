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

/// Values of the faces of a node, and two zeros, so that all are processed at once.
inline constexpr int face_lanes = 8;

/// V and A of a node as linear functions of the time t in an interval, 0 to 1.
struct NodeCoefficients {
  Cell cell;
  double volume, volume_change;
  std::array<double, face_lanes> area{}, area_change{};

  bool moves() const;
};

/// The volume that a node of an interval passes on to a node of the next one.
struct NodeTransfer {
  CellIndex to, from;  ///< indices of values
  double weight;       ///< volume transferred; 0: the value is cleared
};

/// Stands in for a volume of subcells that have just been joined or split, which moves no wall.
inline constexpr double volume_as_now = -1;

/// Everything that the cut-cell scheme does between two keys, except for the arithmetic on the
/// field: plain data that depends on the geometry alone.
struct BoundaryPlan {
  std::size_t listed = 0;  ///< nodes of the interval; those after them are whole again
  std::vector<NodeCoefficients> coefficients;  ///< by node
  std::vector<CellIndex> indices;              ///< indices of the nodes' values
  std::vector<std::uint32_t> moving;           ///< indices of nodes that change, or their links
  std::vector<SolidRun> solid;                 ///< at both keys
  std::vector<CellIndex> sealed;               ///< indices of cells that have become solid
  std::vector<CellIndex> behind;               ///< indices of solid cells next to nodes
  std::vector<SplitCell> split, split_end;     ///< at the start and the end of the interval
  std::size_t extras = 0;                      ///< number of values of further subcells
  std::vector<NodeTransfer> transfers;         ///< ordered by the index they go to
  std::vector<double> volume;                  ///< Vs by node before the first step

  /// The index of a cell's first node among those listed.
  std::optional<std::size_t> number_of(const Grid& grid, const Cell& cell) const;
  /// The index of the value of the air at a position within the grid, at time t of the interval: in
  /// a split cell, that of the subcell at the position.
  CellIndex index_at(const Grid& grid, const FieldLayout& layout, const Vec3& position,
                     double t) const;
};

/// The plan of an interval that follows `before`, whose nodes have the volumes `volume` at present.
/// Cells that are no longer cut stay at the end of the list, whole, to transfer their volume, or
/// are sealed if they have become solid. Throws InputError if there are more nodes than 32 bits can
/// count.
BoundaryPlan plan_boundary(const Grid& grid, const FieldLayout& layout, const CutInterval& interval,
                           const BoundaryPlan& before, std::span<const double> volume);

}  // namespace peal::wave

#pragma once

#include <peal/wave/driver/wall_sequence.h>
#include <peal/wave/scheme/cpml_cut_cells.h>
#include <peal/wave/scheme/ghost_cells.h>
#include <peal/wave/scheme/leapfrog.h>

#include <cstdint>
#include <memory>

namespace peal::wave {

/// A pressure that no air can have [Pa]: 1000 times that of the air itself.
inline constexpr double largest_pressure = 1e8;

/// Simulates the waves that the sources of a chunk make around the bodies of a world, step by step,
/// starting from silence.
template <class Real>
class Simulation {
 public:
  Simulation(const base::World& world, const base::WaveSettings& settings,
             const Discretisation& discretisation, const Domain& domain, const Chunk& chunk);

  /// The largest number of steps by which the geometry is known ahead of the field: the longest
  /// interval between keys.
  static constexpr int looks_ahead = WallSequence<Real>::longest_interval;

  /// The time of the field, as a sample index at the rate of the solver.
  std::int64_t now() const { return now_; }
  const Field<Real>& pressure() const { return solver_.pressure(); }
  const Grid& grid() const { return solver_.grid(); }

  void step();

  /// The open fraction of the volume of a cell, raised where the scheme requires it; 0 without air.
  double open_volume(const Cell& cell) const { return sequence_.open_volume(cell); }
  /// The open fraction of a face of a cell; faces are numbered -x, +x, -y, ...
  double open_area(const Cell& cell, int face) const { return sequence_.open_area(cell, face); }
  /// Whether a cell contains air and is not split by a thin wall.
  bool is_plain_air(const Cell& cell) const { return sequence_.is_plain_air(cell); }
  const WallSequence<Real>& sequence() const { return sequence_; }
  const CutInterval& walls() const { return sequence_.interval(); }

  /// Returns the pressure of the loudest row of cells, as the root of the sum of squares. Throws
  /// NumericsError, with the position and the nearest body, if the field is not finite or exceeds
  /// anything possible in air.
  double check_bounded() const;

  std::size_t bytes() const { return solver_.bytes(); }

 private:
  void place_ghosts();
  void advance_planes();
  void advance_with_cut_cells();
  void advance_with_ghosts();
  void add_points();

  base::Rate rate_;
  int layer_cells_;
  bool viscous_;
  Leapfrog<Real> solver_;
  WallSequence<Real> sequence_;
  CpmlCutCells<Real> layer_nodes_;      ///< the nodes of the sequence in the PML
  std::unique_ptr<GhostCells> ghosts_;  ///< used instead of cut cells if the settings say so
  std::int64_t now_;
};

extern template class Simulation<float>;
extern template class Simulation<double>;

}  // namespace peal::wave

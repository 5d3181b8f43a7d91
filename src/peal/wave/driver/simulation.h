#pragma once

#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/domain.h>
#include <peal/wave/scheme/cpml_cut_cells.h>
#include <peal/wave/scheme/ghost_cells.h>
#include <peal/wave/scheme/leapfrog.h>
#include <peal/wave/scheme/sealed_cavities.h>
#include <peal/wave/sources/monopole_source.h>
#include <peal/wave/sources/wall_source.h>

#include <cstdint>
#include <memory>

namespace peal::wave {

/// Simulates the waves that the sources of a chunk make around the bodies of a world, step by step,
/// starting from silence.
template <class Real>
class Simulation {
 public:
  Simulation(const base::World& world, const base::WaveSettings& settings,
             const Discretisation& discretisation, const Domain& domain, const Chunk& chunk);

  /// The largest number of steps by which the geometry is known ahead of the field: the longest
  /// interval between keys.
  static constexpr int looks_ahead = 512;

  /// The time of the field, as a sample index at the rate of the solver.
  std::int64_t now() const { return now_; }
  const Field<Real>& pressure() const { return solver_.pressure(); }
  const Grid& grid() const { return solver_.grid(); }

  void step();

  /// The open fraction of the volume of a cell, raised where the scheme requires it; 0 without air.
  double open_volume(const Cell& cell) const;
  /// The open fraction of a face of a cell; faces are numbered -x, +x, -y, ...
  double open_area(const Cell& cell, int face) const;
  /// Whether a cell contains air and is not split by a thin wall.
  bool is_plain_air(const Cell& cell) const;
  const CutInterval& walls() const { return interval_; }

  /// Returns the pressure of the loudest row of cells, as the root of the sum of squares. Throws
  /// NumericsError, with the position and the nearest body, if the field is not finite or exceeds
  /// anything possible in air.
  double check_bounded() const;

  std::size_t bytes() const { return solver_.bytes(); }

 private:
  CutGeometry geometry_at(double t);
  void enter_next_key();
  double along(std::int64_t step) const;
  void place_ghosts();
  void advance_with_cut_cells();
  void advance_with_ghosts();
  void add_points();
  std::optional<std::size_t> cut_number(const Cell& cell) const;

  const base::World& world_;
  base::Rate rate_;
  base::WaveSettings::Boundary boundary_;
  Leapfrog<Real> solver_;
  Rasteriser rasteriser_;
  CutCells<Real> cells_;
  CpmlCutCells<Real> layer_nodes_;      ///< the nodes of cells_ in the PML
  std::unique_ptr<GhostCells> ghosts_;  ///< used instead of cells_ if the settings say so
  SealedCavities<Real> cavities_;
  WallSource<Real> walls_;
  MonopoleSource points_;
  bool still_;
  CutGeometry next_key_geometry_;
  CutInterval interval_;
  bool resting_ = false;  ///< whether nothing moves in the interval
  std::int64_t now_, key_ = 0, next_key_ = 0;
  std::int64_t cavities_found_;  ///< time of the last search for cavities
  int most_steps_at_once_;       ///< largest number of steps with the same walls
  int steps_at_once_ = 1;
};

extern template class Simulation<float>;
extern template class Simulation<double>;

}  // namespace peal::wave

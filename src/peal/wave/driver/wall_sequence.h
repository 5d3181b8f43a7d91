#pragma once

#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/domain.h>
#include <peal/wave/scheme/cut_cells.h>
#include <peal/wave/scheme/sealed_cavities.h>
#include <peal/wave/sources/monopole_source.h>
#include <peal/wave/sources/wall_source.h>

#include <cstdint>
#include <optional>

namespace peal::wave {

/// The last key at or before the first step of a chunk: motion matters to its walls from there on.
std::int64_t first_key(const base::World& world, const base::WaveSettings& settings,
                       const Discretisation& discretisation, const Grid& grid, const Chunk& chunk);

/// The boundary of the air in a chunk, key after key, and the sources that drive it: everything
/// about a simulation that does not depend on the field, and so may be known ahead of it. Times are
/// indices of samples at the rate of the solver.
template <class Real>
class WallSequence {
 public:
  WallSequence(const base::World& world, const base::WaveSettings& settings,
               const Discretisation& discretisation, const Grid& grid, const Chunk& chunk,
               const FieldLayout& layout);

  /// The longest interval between keys [steps].
  static constexpr int longest_interval = 512;

  bool is_still() const { return still_; }
  std::int64_t start() const { return start_; }  ///< time of the first step
  base::Rate rate() const { return rate_; }
  const Grid& grid() const { return grid_; }

  /// Whether an interval must be entered before a step, and whether walls move before it. The first
  /// step may lie within an interval, as keys are the same for all chunks.
  bool begins(std::int64_t step) const { return !still_ && step >= next_key_; }
  bool moves(std::int64_t step) const {
    if (still_ || step == start_) return !still_;
    return resting_ ? step == entered_ : (step - key_) % steps_at_once_ == 0;
  }
  /// Enters the next interval. Returns false if it only continues the last one, since nothing moves
  /// in either.
  bool enter();
  /// The position of the walls at a step, from 0 at the last key to 1 at the next.
  double along(std::int64_t step) const;

  /// Whether anything drives walls, and the cells of the interval that may be driven, ascending.
  bool drives() const { return !walls_.is_silent(); }
  std::span<const std::uint32_t> driven() const { return walls_.driven(); }
  /// h rho Q of each cell of the interval at a step, with the walls of this step; empty if nothing
  /// drives them.
  std::span<const Real> source(std::int64_t step);
  /// The same a step before.
  std::span<const Real> source_before(std::int64_t step);

  /// Sets the walls without a key, as they are at one time. Used by schemes without keys.
  void place(CutInterval interval, const CutInterval& walls, double t);

  /// The open fraction of the volume of a cell, raised where the scheme requires it; 0 without air.
  double open_volume(const Cell& cell) const;
  /// The open fraction of a face of a cell; faces are numbered -x, +x, -y, ...
  double open_area(const Cell& cell, int face) const;
  /// Whether a cell contains air and is not split by a thin wall.
  bool is_plain_air(const Cell& cell) const;

  const CutInterval& interval() const { return interval_; }
  Rasteriser& rasteriser() { return rasteriser_; }
  const Rasteriser& rasteriser() const { return rasteriser_; }
  CutCells<Real>& cells() { return cells_; }
  const SealedCavities<Real>& cavities() const { return cavities_; }
  MonopoleSource& points() { return points_; }

 private:
  CutGeometry geometry_at(double t);
  std::optional<std::size_t> cut_number(const Cell& cell) const;

  base::Rate rate_;
  base::WaveSettings::Boundary boundary_;
  Grid grid_;
  Rasteriser rasteriser_;
  CutCells<Real> cells_;
  SealedCavities<Real> cavities_;
  WallSource<Real> walls_;
  MonopoleSource points_;
  bool still_;
  CutGeometry next_key_geometry_;
  CutInterval interval_;
  bool resting_ = false;  ///< whether nothing moves in the interval
  std::int64_t start_, key_ = 0, next_key_ = 0;
  std::int64_t entered_ = 0;         ///< the last key at which anything was new
  std::int64_t cavities_found_ = 0;  ///< time of the last search for cavities
  int most_steps_at_once_;           ///< largest number of steps with the same walls
  int steps_at_once_ = 1;
};

extern template class WallSequence<float>;
extern template class WallSequence<double>;

}  // namespace peal::wave

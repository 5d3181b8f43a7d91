#pragma once

#include <peal/wave/scheme/cut_cells.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// Air that is cut off from the outside: the inside of a closed box, of a cup on a floor.
///
/// Nothing holds the mean pressure of such air: rounding, and flow that was still going on when the
/// cavity closed, make it wander, and when it opens the wrong pressure leaves with a bang. So the
/// mean p of each cavity, and nothing else, passes a high-pass filter at 20 Hz: each step
///
///     p <- p - 2 w0 tau mean(p - p_old) - (w0 tau)^2 mean(p_old),     w0 = 2 pi 20 Hz
///
/// Means are weighted by volume. Faces that are open by less than a fiftieth count as closed, so
/// that the filter is at work before a cavity closes.
template <class Real>
class SealedCavities {
 public:
  SealedCavities(const Grid& grid, const FieldLayout& layout, double time_step);

  /// Finds the cavities of the geometry until the next key; `nodes` are those of the interval.
  void find(const CutInterval& interval, std::span<const CutNode<Real>> nodes);

  /// For geometry that moves on without a new search: cells that a wall passes, or passed when
  /// the cavities were found, are no longer filtered, since the wall may leave them outside.
  void keep_unpassed(const CutInterval& interval);

  /// Once a step, on the fields that the next step starts from; `extra` are values of nodes that
  /// are not in the field.
  void filter(std::span<Real> p, std::span<const Real> p_old, std::span<Real> extra,
              std::span<const Real> extra_old) const;

  std::size_t count() const { return cavities_.size(); }
  double volume(std::size_t cavity) const { return cavities_[cavity].volume; }  ///< [cells]

 private:
  /// Whole cells of a row.
  struct Run {
    CellIndex begin, end;  ///< places
  };
  struct CutMember {
    CellIndex index;
    float volume;
  };
  struct Cavity {
    std::vector<Run> runs;
    std::vector<CutMember> cut;
    double volume = 0.0;

    void remove(std::span<const CellIndex> indices);  ///< sorted
  };

  void add_passed(const CutInterval& interval);

  Grid grid_;
  FieldLayout layout_;
  double slow_, slow2_;  ///< 2 w0 tau, (w0 tau)^2
  std::vector<Cavity> cavities_;
  std::vector<CellIndex> passed_;  ///< indices of cells to leave out from the next key on
};

extern template class SealedCavities<float>;
extern template class SealedCavities<double>;

}  // namespace peal::wave

#pragma once

#include <peal/wave/scheme/cut_cells.h>

#include <cstdint>
#include <span>
#include <vector>

namespace peal::wave {

/// Air that is cut off from the outside, such as the inside of a closed box or of a cup on a floor.
///
/// The mean pressure of such air is undetermined. Rounding, and flow that was still going on when
/// the cavity closed, make it drift, and when the cavity opens, the wrong pressure is released with
/// a bang. Therefore the mean p of each cavity, and nothing else, passes a high-pass filter at 20
/// Hz in each step:
///
///     p <- p - 2 w0 tau mean(p - p_old) - (w0 tau)^2 mean(p_old),     w0 = 2 pi 20 Hz
///
/// Means are weighted by volume. Faces that are open by less than a fiftieth count as closed, so
/// that the filter acts before a cavity closes.
template <class Real>
class SealedCavities {
 public:
  SealedCavities(const Grid& grid, const FieldLayout& layout, double time_step);

  /// Finds the cavities of the geometry until the next key; `nodes` are those of the interval.
  void find(const CutInterval& interval, std::span<const CutNode<Real>> nodes);

  /// Excludes cells that a wall passes, or passed when the cavities were found, from the filter,
  /// since the wall may leave them outside; for geometry that moves without a new search.
  void keep_unpassed(const CutInterval& interval);

  /// Filters the fields that the next step starts from; call it once per step. `extra` are values
  /// of nodes that are not in the field.
  void filter(std::span<Real> p, std::span<const Real> p_old, std::span<Real> extra,
              std::span<const Real> extra_old) const;

  /// Consecutive whole cells of a row.
  struct Run {
    CellIndex begin, end;  ///< indices
  };
  struct CutMember {
    CellIndex index;
    float volume;
  };
  struct Cavity {
    std::vector<Run> runs;
    std::vector<CutMember> cut;
    double volume = 0.0;

    void remove(std::span<const CellIndex> indices);  ///< `indices` must be sorted
  };
  /// Runs, and cut cells, are added up in groups of so many, and then the groups.
  static constexpr std::size_t runs_at_once = 4, cut_at_once = 16;

  std::span<const Cavity> cavities() const { return cavities_; }
  double slow() const { return slow_; }
  double slow2() const { return slow2_; }
  std::size_t count() const { return cavities_.size(); }
  double volume(std::size_t cavity) const { return cavities_[cavity].volume; }  ///< [cells]

 private:
  void add_passed(const CutInterval& interval);

  Grid grid_;
  FieldLayout layout_;
  double slow_, slow2_;  ///< 2 w0 tau, (w0 tau)^2
  std::vector<Cavity> cavities_;
  std::vector<CellIndex> passed_;  ///< indices of cells to exclude from the next key on
};

extern template class SealedCavities<float>;
extern template class SealedCavities<double>;

}  // namespace peal::wave

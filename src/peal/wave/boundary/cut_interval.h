#pragma once

#include <peal/wave/boundary/cut_geometry.h>

#include <vector>

namespace peal::wave {

/// Moving geometry between two key times: every cell that either key cuts, at both. V, A and walls
/// vary linearly in between. Keys should be 0.3 cells apart (twice as many are noisier,
/// see rasteriser.cpp), and must be less than a cell apart.
struct CutInterval {
  std::vector<OpenCell> from, to;               ///< the same cells and subcells, as in CutGeometry
  std::vector<Wall> walls_from, walls_to;       ///< the same walls, by cell, body and part
  std::vector<SolidRun> solid;                  ///< at both keys
  std::vector<Link> links_from, links_to;       ///< the same links
  std::vector<SplitCell> split_from, split_to;  ///< the same cells and subcells

  /// The geometry at a time between the keys: t = 0 at the first, 1 at the second. It cannot be
  /// the key of another interval if cells are split.
  CutGeometry at(double t) const;
  std::vector<Wall> walls_at(double t) const;
};

CutInterval interval(const Grid& grid, const CutGeometry& from, const CutGeometry& to);

inline double between(double from, double to, double t) {
  return from + t * (to - from);
}

}  // namespace peal::wave

#pragma once

#include <peal/base/pressure_slice.h>
#include <peal/wave/driver/chunk_run.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace peal::wave {

/// One layer of the lattice that all domains share, and the steps at which it is recorded.
struct SlicePlan {
  int axis = 2;                     ///< axis normal to the layer
  Grid grid;                        ///< encloses all domains without their PML, one cell thick
  base::Rate rate;                  ///< of steps
  std::vector<std::int64_t> steps;  ///< of the frames, ascending

  std::string describe() const;  ///< one sentence
};

/// Plans the slices; the result is empty if there are no runs. Throws InputError with a hint if the
/// plane misses all domains, no frame lies in the scene, frames come faster than steps, or they
/// need too much memory.
std::optional<SlicePlan> plan_slices(const base::SliceRequest& request,
                                     std::span<const ChunkRun> runs);

/// The cells of a run's domain outside its PML: low <= c < high.
struct CellRange {
  Cell low, high;
};
CellRange shown_cells(const ChunkRun& run);

}  // namespace peal::wave

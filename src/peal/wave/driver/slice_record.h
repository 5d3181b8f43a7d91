#pragma once

#include <peal/wave/driver/simulation.h>
#include <peal/wave/driver/slice_plan.h>

#include <functional>
#include <map>
#include <mutex>

namespace peal::wave {

/// The part of a sequence of slices that one run computed.
struct ChunkSlices {
  std::size_t first = 0;      ///< index of its first frame
  std::size_t count = 0;      ///< number of frames
  CellRange cells = {};       ///< in the plan's grid; empty if the layer misses the domain
  std::vector<float> values;  ///< [Pa], frame after frame
};

/// Records the field of one run whenever a frame is due.
class SliceRecord {
 public:
  SliceRecord(const SlicePlan& plan, const ChunkRun& run);

  /// Records the field if a frame is due; call it at the start and after every step.
  template <class Real>
  void record(const Simulation<Real>& simulation);

  /// The cells of the field of a step that are shown, if a frame is due; called at every step,
  /// ahead of the fields. The pressures of those that are air are added later, in the same order.
  struct Shown {
    std::vector<Cell> cells;
    std::vector<bool> is_air;
  };
  Shown due(std::int64_t step, const std::function<bool(const Cell&)>& is_air);
  void add(float pressure) { slices_.values.push_back(pressure); }

  /// Forgets all frames: the run begins again.
  void restart();

  ChunkSlices take() { return std::move(slices_); }

 private:
  const SlicePlan& plan_;
  Cell offset_;  ///< from the plan's cells to those of the run
  ChunkSlices slices_;
  bool started_ = false;
};

/// Adds up the slices of the chunks in their order, whatever the order in which they finish. The
/// sum is NaN where chunks are active but none has the position in its domain, and 0 where no chunk
/// is active.
class SliceSum {
 public:
  explicit SliceSum(const SlicePlan& plan);

  void add(std::size_t chunk, ChunkSlices slices);

  /// Passes on all slices; call it after the last chunk.
  void hand_over(const base::World& world,
                 const std::function<void(base::PressureSlice)>& take) const;

 private:
  void add_next(const ChunkSlices& slices);

  const SlicePlan& plan_;
  std::vector<float> values_;  ///< [Pa], frame after frame
  std::vector<bool> busy_;     ///< by frame: whether any chunk was active
  std::mutex mutex_;
  std::map<std::size_t, ChunkSlices> waiting_;  ///< slices that wait for earlier chunks
  std::size_t next_ = 0;
};

extern template void SliceRecord::record(const Simulation<float>&);
extern template void SliceRecord::record(const Simulation<double>&);

}  // namespace peal::wave

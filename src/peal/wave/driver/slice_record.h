#pragma once

#include <peal/wave/driver/simulation.h>
#include <peal/wave/driver/slice_plan.h>

#include <functional>
#include <map>
#include <mutex>

namespace peal::wave {

/// The part of a sequence of slices that one run computed.
struct ChunkSlices {
  std::size_t first = 0;      ///< number of its first frame
  std::size_t count = 0;      ///< of frames
  CellRange cells = {};       ///< of the plan's grid; none if the layer misses the run's domain
  std::vector<float> values;  ///< [Pa], frame after frame
};

/// Looks at the field of one run whenever a frame is due.
class SliceRecord {
 public:
  SliceRecord(const SlicePlan& plan, const ChunkRun& run);

  /// Call it with the field at the start and after every step.
  template <class Real>
  void record(const Simulation<Real>& simulation);

  ChunkSlices take() { return std::move(slices_); }

 private:
  const SlicePlan& plan_;
  Cell offset_;  ///< from the plan's cells to those of the run
  ChunkSlices slices_;
  bool started_ = false;
};

/// Adds up what the chunks computed, in their order whatever the order in which they finish. Where
/// chunks are at work and none has the place in its domain, the sum is NaN; where none is, it is 0.
class SliceSum {
 public:
  explicit SliceSum(const SlicePlan& plan);

  void add(std::size_t chunk, ChunkSlices slices);

  /// After the last chunk.
  void hand_over(const base::World& world,
                 const std::function<void(base::PressureSlice)>& take) const;

 private:
  void add_next(const ChunkSlices& slices);

  const SlicePlan& plan_;
  std::vector<float> values_;  ///< [Pa], frame after frame
  std::vector<bool> busy_;     ///< by frame: some chunk was at work
  std::mutex mutex_;
  std::map<std::size_t, ChunkSlices> waiting_;  ///< for chunks before them
  std::size_t next_ = 0;
};

extern template void SliceRecord::record(const Simulation<float>&);
extern template void SliceRecord::record(const Simulation<double>&);

}  // namespace peal::wave

#pragma once

#include <peal/wave/driver/chunk_run.h>

#include <optional>
#include <string>
#include <vector>

namespace peal::wave {

/// Adds up the sounds of chunks at each receiver (Wang et al. 2018, equation (20)). The order in
/// which they are added fixes the bits of the sum, so it is always that of time.
class ChunkSum {
 public:
  ChunkSum(const base::World& world, std::size_t receivers, base::SampleRange range);

  void add(const ChunkRun& run, const ChunkSound& sound);
  /// A notice if anything was still audible when a domain that follows moving bodies had to end.
  std::optional<std::string> notice() const;
  std::vector<base::Signal> take() { return std::move(pressures_); }

 private:
  std::vector<base::Signal> pressures_;
  std::size_t chunks_ = 0, cut_ = 0;
  /// Of the chunk that was loudest when it was cut [Pa], over its peak, and its begin [s].
  double loudest_ = 0.0, part_ = 0.0, begin_ = 0.0;
};

}  // namespace peal::wave

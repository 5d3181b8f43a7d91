#pragma once

#include <peal/wave/chunk_cache.h>
#include <peal/wave/discretisation.h>

#include <functional>
#include <span>

namespace peal::wave {

class SliceRecord;

/// One run of the solver: everything it needs to know.
struct ChunkRun {
  const base::World& world;
  const base::WaveSettings& settings;
  Discretisation discretisation;
  Domain domain;
  Chunk chunk;
  double latest_end;  ///< of the run, however long it rings [s]
  std::span<const base::Receiver> receivers;
};

/// What the receivers hear of the chunk's sources. The run ends when they have heard next to
/// nothing for a while (Wang et al. 2018, section 6.1): 50 ms below 1e-3 of the loudest, or below
/// 20 uPa. `advance(steps)` is called now and then. `slices`, if given, sees every step.
ChunkSound run(const ChunkRun& run, const std::function<void(std::int64_t steps)>& advance,
               SliceRecord* slices = nullptr);

/// Steps the run will take if nothing rings [1], and cells times steps.
std::int64_t expected_steps(const ChunkRun& run);
double expected_work(const ChunkRun& run);

/// Seconds of processor time that a number of steps take on this machine, now, with everything that
/// belongs to them.
double time_steps(const ChunkRun& run, int steps);

/// Memory of the run's fields [bytes], without surface terms.
double field_bytes(const ChunkRun& run);

}  // namespace peal::wave

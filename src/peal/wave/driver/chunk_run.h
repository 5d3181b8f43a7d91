#pragma once

#include <peal/base/listener.h>
#include <peal/base/wave_settings.h>
#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/domain.h>
#include <peal/wave/sources/chunk.h>

#include <functional>
#include <span>
#include <vector>

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
  /// Owns `world` if that is only a part of the scene, without bodies that are not there yet or no
  /// longer.
  std::shared_ptr<const base::World> part = {};

  double scene_end() const { return world.rate.seconds(world.samples); }  ///< [s]
};

/// How a run ended.
struct ChunkEnd {
  bool by_itself = false;        ///< it was quiet before it had to end
  double sources_until = 0.0;    ///< where bodies and sources are later cannot matter to it [s]
  double receivers_until = 0.0;  ///< nor where receivers are after this [s]
  double loudest = 0.0;          ///< that any receiver heard [Pa]
  double rest = 0.0;             ///< the loudest of the last 50 ms [Pa]
};

struct ChunkSound {
  std::vector<base::Signal> received;  ///< by each receiver, at the audio rate
  ChunkEnd end;
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

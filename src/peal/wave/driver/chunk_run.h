#pragma once

#include <peal/base/listener.h>
#include <peal/base/wave_settings.h>
#include <peal/wave/grid/discretisation.h>
#include <peal/wave/grid/domain.h>
#include <peal/wave/sources/chunk.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace peal::wave {

namespace device {
class FieldDevice;
}
class SliceRecord;

/// The inputs of one run of the solver.
struct ChunkRun {
  const base::World& world;
  const base::WaveSettings& settings;
  Discretisation discretisation;
  Domain domain;
  Chunk chunk;
  double latest_end;  ///< latest end of the run, even if it still rings [s]
  std::span<const base::Receiver> receivers;
  /// Owns `world` if that is only a part of the scene, without the bodies that do not exist yet or
  /// no longer exist.
  std::shared_ptr<const base::World> part = {};

  double scene_end() const { return world.rate.seconds(world.samples); }  ///< [s]
  /// Whether the domain, which follows moving bodies, ends the run before the scene ends.
  bool is_cut_by_domain() const { return latest_end < scene_end(); }
};

/// How a run ended.
struct ChunkEnd {
  bool by_itself = false;        ///< whether it became silent before it had to end
  double sources_until = 0.0;    ///< later motion of bodies and sources has no effect [s]
  double receivers_until = 0.0;  ///< later motion of receivers has no effect [s]
  double loudest = 0.0;          ///< peak at any receiver [Pa]
  double rest = 0.0;             ///< peak of the last 50 ms [Pa]
};

struct ChunkSound {
  std::vector<base::Signal> received;  ///< at each receiver, at the audio rate
  ChunkEnd end;
};

/// Renders the sources of a chunk at the receivers. The run ends when the receivers have been
/// almost silent for a while (Wang et al. 2018, section 6.1): 50 ms below 1e-3 of the peak, or
/// below 20 uPa; or 15 ms if the whole field is below 1e-3 of its peak as well. `advance(steps)` is
/// called from time to time. `slices`, if given, records every step. The field is computed by
/// `device`, if given, and else by the processor, with the same result. Throws device::DeviceLost
/// if the device fails.
ChunkSound run(const ChunkRun& run, const std::function<void(std::int64_t steps)>& advance,
               SliceRecord* slices = nullptr, device::FieldDevice* device = nullptr);

/// The steps that the run will take if nothing rings [1], and cells times steps.
std::int64_t expected_steps(const ChunkRun& run);
double expected_work(const ChunkRun& run);

/// The processor time that a number of steps, with all related work, takes on this machine at
/// present [s].
double time_steps(const ChunkRun& run, int steps);

/// What a run costs on this machine at present, by a short excerpt of it.
struct TrialRun {
  double setup = 0.0;    ///< processor time before the first step [s]
  double step = 0.0;     ///< processor time of a step, with all related work [s]
  double ringing = 0.0;  ///< time for which the field goes on after the end of its sources [s]
};
/// Runs the sources for a moment from `begin` [s] on, then until the field is quiet, or until the
/// trial has taken `budget` [s] of processor time.
TrialRun try_run(const ChunkRun& run, double begin, double budget);

/// The processor time of a whole run if it goes as the trial did [s].
double expected_seconds(const ChunkRun& run, const TrialRun& trial);

/// The memory of the fields of the run [bytes], without surface terms.
double field_bytes(const ChunkRun& run);

/// The plan of a render: the chunks of the time of a scene, each with its domain, and their cost.
/// It refers to the world, the settings and the receivers that it was made from.
struct WavePlan {
  std::vector<ChunkRun> runs;  ///< in the order of time
  double cell_updates = 0.0;   ///< of all runs, if nothing rings

  bool is_silent() const { return runs.empty(); }
  double longest_chunk() const;  ///< [s]
  const ChunkRun& largest() const;
  bool follows_what_moves() const;  ///< whether domains differ
};

/// The longest time after the end of its sources for which the domain of a chunk follows objects
/// that travel far [s].
inline constexpr double longest_ringing = 0.3;

WavePlan make_wave_plan(const base::World& world, const base::WaveSettings& settings,
                        std::span<const base::Receiver> receivers);

/// Caches the last plan, so that a world that is planned and then rendered is surveyed only once.
class WavePlanner {
 public:
  explicit WavePlanner(const base::WaveSettings& settings) : settings_(settings) {}

  /// Makes a new plan and caches it.
  std::shared_ptr<const WavePlan> make(const base::World& world,
                                       std::span<const base::Receiver> receivers) const;
  /// The cached plan if it was made from the same objects, which must not have changed since, or
  /// else a new one.
  std::shared_ptr<const WavePlan> get(const base::World& world,
                                      std::span<const base::Receiver> receivers) const;

 private:
  /// The addresses of the objects that a plan was made from. A world that was made later at the
  /// same address has its bodies and points elsewhere.
  struct Origin {
    const base::World* world;
    const base::Body* bodies;
    const base::PointSource* points;
    const base::Receiver* receivers;
    std::size_t receiver_count;
    bool operator==(const Origin&) const = default;
  };
  static Origin origin_of(const base::World& world, std::span<const base::Receiver> receivers);

  const base::WaveSettings& settings_;
  mutable std::mutex mutex_;
  mutable std::optional<Origin> origin_;
  mutable std::shared_ptr<const WavePlan> kept_;
};

}  // namespace peal::wave

#pragma once

#include <peal/wave/driver/chunk_run.h>

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace peal::wave {

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

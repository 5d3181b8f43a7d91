#pragma once

#include <peal/wave/driver/chunk_run.h>

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace peal::wave {

/// What will be computed: the chunks of a scene's time, each with its domain, and what they cost.
/// It refers to the world, the settings and the receivers that it was made from.
struct WavePlan {
  std::vector<ChunkRun> runs;  ///< in the order of time
  double steps = 0.0;          ///< of all runs, if nothing rings
  double cell_updates = 0.0;   ///< of all runs, if nothing rings

  bool is_silent() const { return runs.empty(); }
  double longest_chunk() const;  ///< [s]
  const ChunkRun& largest() const;
  bool follows_what_moves() const;  ///< domains differ
};

/// Where objects travel far, a chunk's domain follows them only so long after its sources end [s].
inline constexpr double longest_ringing = 0.3;

WavePlan make_wave_plan(const base::World& world, const base::WaveSettings& settings,
                        std::span<const base::Receiver> receivers);

/// Keeps the last plan, so that a world that is planned and then rendered is surveyed once.
class WavePlanner {
 public:
  explicit WavePlanner(const base::WaveSettings& settings) : settings_(settings) {}

  /// A new plan, which is kept.
  std::shared_ptr<const WavePlan> make(const base::World& world,
                                       std::span<const base::Receiver> receivers) const;
  /// The kept plan if it was made of the same objects, which must not have changed since; else a
  /// new one.
  std::shared_ptr<const WavePlan> get(const base::World& world,
                                      std::span<const base::Receiver> receivers) const;

 private:
  /// The addresses of what a plan was made of. A world that was made later in the same place has
  /// its bodies and points elsewhere.
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

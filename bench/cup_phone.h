#pragma once

#include <peal/render/stages.h>
#include <peal/scene/scene.h>
#include <peal/wave/driver/chunk_run.h>

#include <memory>
#include <string>
#include <vector>

namespace peal::bench {

/// Chunks of scenes/2018-wave/cup-phone while the cup comes up around the ringing phone, with both
/// ears.
class CupPhone {
 public:
  /// In a domain of so many cells a side; 0: in the one that Peal chooses.
  explicit CupPhone(int cells);

  const base::World& world() const { return world_; }
  const base::WaveSettings& settings() const { return settings_; }

  /// Chunk `number`, some steps after the one before.
  wave::ChunkRun run(int number) const;

 private:
  scene::Scene scene_;
  std::vector<std::string> notices_;
  base::World world_;
  std::vector<std::unique_ptr<base::Listener>> listeners_;
  std::vector<base::Receiver> ears_;
  base::WaveSettings settings_;
  wave::Discretisation discretisation_;
};

}  // namespace peal::bench

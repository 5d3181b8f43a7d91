#pragma once

#include <peal/base/listener.h>
#include <peal/base/wave_settings.h>
#include <peal/wave/chunk.h>
#include <peal/wave/domain.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace peal::wave {

/// What the receivers hear of one chunk, at the audio rate.
using ChunkSound = std::vector<base::Signal>;

/// Finished chunks on disk, by what they were made from: a render that was killed goes on where it
/// stopped, and a scene that was changed is computed anew only where the change is heard.
class ChunkCache {
 public:
  /// No folder: nothing is kept.
  explicit ChunkCache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  /// The chunk of that key, if it is there and whole.
  std::optional<ChunkSound> find(const std::string& key) const;
  void keep(const std::string& key, const ChunkSound& sound) const;
  /// Removes the chunks of other scenes and earlier states, all but those named.
  void drop_others(std::span<const std::string> keys) const;

 private:
  std::filesystem::path file(const std::string& key) const;

  std::optional<std::filesystem::path> folder_;
};

/// A number for everything that a chunk's sound depends on: how the solver is set up, the meshes,
/// where everything is and how it sounds until `end` [s].
std::string chunk_key(const base::World& world, const base::WaveSettings& settings,
                      const Discretisation& discretisation, const Domain& domain,
                      const Chunk& chunk, std::span<const base::Receiver> receivers, double end);

}  // namespace peal::wave

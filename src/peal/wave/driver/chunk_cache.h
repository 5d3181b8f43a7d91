#pragma once

#include <peal/wave/driver/chunk_run.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace peal::wave {

/// Finished chunks on disk, by what they were made from: a render that was killed goes on where it
/// stopped, and a scene that was changed is computed anew only where the change is heard.
///
/// How long a run takes to fall silent, and so what it saw of the scene's motion, is known only
/// when it has ended. A file is named by what is known before (chunk_key); in it stands how the run
/// ended and a number for all motion until then, which must still be the same.
class ChunkCache {
 public:
  /// No folder: nothing is kept.
  explicit ChunkCache(std::optional<std::filesystem::path> folder) : folder_(std::move(folder)) {}

  /// What the run would compute, if a file of that key is there, whole, and from the same motion.
  std::optional<ChunkSound> find(const std::string& key, const ChunkRun& run) const;
  void keep(const std::string& key, const ChunkRun& run, const ChunkSound& sound) const;
  /// Removes the chunks of other scenes and earlier states, all but those named.
  void drop_others(std::span<const std::string> keys) const;

 private:
  std::filesystem::path file(const std::string& key) const;

  std::optional<std::filesystem::path> folder_;
};

/// A number for everything but motion that a chunk's sound depends on: how the solver is set up,
/// the shapes, and what sounds in the chunk. Names do not matter, nor sources that are silent in
/// it.
std::string chunk_key(const ChunkRun& run);

}  // namespace peal::wave

#pragma once

#include <peal/util/store.h>
#include <peal/wave/driver/chunk_run.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace peal::wave {

/// Finished chunks in a store, by what they were made from: a render that was killed goes on where
/// it stopped, and a scene that was changed is computed anew only where the change is heard.
///
/// How long a run takes to fall silent, and so what it saw of the scene's motion, is known only
/// when it has ended. An entry's key is what is known before (chunk_key); in it stands how the run
/// ended and a hash of all motion until then, which must still be the same.
class ChunkCache {
 public:
  /// No folder: nothing is stored.
  explicit ChunkCache(std::optional<std::filesystem::path> folder)
      : store_(util::stored::wave_chunk, std::move(folder)) {}

  /// What the run would compute, if an entry of that key is there, whole, and from the same motion.
  std::optional<ChunkSound> find(const std::string& key, const ChunkRun& run) const;
  /// Throws InputError if it cannot be written: the folder is in that of the render's results.
  void save(const std::string& key, const ChunkRun& run, const ChunkSound& sound) const;
  /// Removes the chunks of other scenes and earlier states, all but those named.
  void keep_only(std::span<const std::string> keys) const { store_.keep_only(keys); }
  /// What the user should know.
  std::vector<std::string> notices() const { return store_.notices(); }

 private:
  util::Store store_;
};

/// A hash of everything but motion that a chunk's sound depends on: how the solver is set up, the
/// shapes, and what sounds in the chunk. Names do not matter, nor sources that are silent in it.
std::string chunk_key(const ChunkRun& run);

}  // namespace peal::wave

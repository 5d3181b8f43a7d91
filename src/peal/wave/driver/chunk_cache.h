#pragma once

#include <peal/util/store.h>
#include <peal/wave/driver/chunk_run.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace peal::wave {

/// The contents of an entry.
struct StoredChunk {
  ChunkSound sound;
  double latest_end = 0.0, scene_end = 0.0;  ///< limits of the run [s]
  std::string motion;                        ///< hash of all motion that the run depends on
};
void serialize(util::Archive& archive, StoredChunk& chunk);

/// A cache of finished chunks, found by what they were computed from. A render that was killed
/// resumes where it stopped, and a changed scene is only recomputed where the change is audible.
///
/// How long a run takes to become silent, and so how much of the scene's motion it depends on, is
/// only known when it has ended. The key of an entry is what is known before the run (chunk_key).
/// The entry holds how the run ended and a hash of all motion until then, which must still match.
class ChunkCache {
 public:
  /// Caches nothing without a folder.
  explicit ChunkCache(std::optional<std::filesystem::path> folder)
      : store_(util::stored::wave_chunk, std::move(folder)) {}

  /// The result of the run, if there is an intact entry of that key for the same motion.
  std::optional<ChunkSound> find(const std::string& key, const ChunkRun& run) const;
  void save(const std::string& key, const ChunkRun& run, const ChunkSound& sound) const;
  /// Throws InputError if it cannot be written.
  void save_or_throw(const std::string& key, const ChunkRun& run, const ChunkSound& sound) const;
  std::filesystem::path file(const std::string& key) const { return store_.file(key); }
  /// Why find() returns nothing: "is missing", "is damaged (wrong checksum)".
  std::string problem(const std::string& key) const;
  /// Notices for the user.
  std::vector<std::string> notices() const { return store_.notices(); }

 private:
  util::Store store_;
};

/// A hash of everything but motion that the sound of a chunk depends on: the settings of the
/// solver, the shapes, and the sources that sound in the chunk. Names and silent sources do not
/// matter.
std::string chunk_key(const ChunkRun& run);

}  // namespace peal::wave

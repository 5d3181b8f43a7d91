#pragma once

#include <filesystem>

namespace peal::util {

/// A folder for temporary files that nobody else may read (0700). It lives as long as this; those
/// of processes that were killed are removed when the next one is made.
class ScratchFolder {
 public:
  /// Throws InputError if the folder for temporary files (TMPDIR) does not exist or is not
  /// writable.
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;  ///< of the folder, locked while this lives
};

}  // namespace peal::util

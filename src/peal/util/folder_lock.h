#pragma once

#include <peal/util/file_lock.h>

#include <filesystem>
#include <optional>

namespace peal::util {

/// Makes one process at a time write into a folder, which is created. The lock is a file ".lock" in
/// it (FileLock). Temporary files of writers that were killed are removed.
class FolderLock {
 public:
  /// Throws InputError if another process holds the lock, or the folder cannot be written to.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path folder_;
  bool is_new_;  ///< the folder
  std::optional<FileLock> lock_;
};

}  // namespace peal::util

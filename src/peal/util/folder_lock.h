#pragma once

#include <filesystem>

namespace peal::util {

/// Makes one process at a time write into a folder, which is created. The lock is a file ".lock" in
/// it, which is removed in the end; if the process is killed, the system releases the lock.
/// Temporary files of writers that were killed are removed.
class FolderLock {
 public:
  /// Throws InputError if another process holds the lock, or the folder cannot be written to.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::filesystem::path folder_, file_;
  bool is_new_ = false;  ///< the folder
  int descriptor_ = -1;
};

}  // namespace peal::util

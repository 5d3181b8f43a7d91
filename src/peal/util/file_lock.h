#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace peal::util {

/// An exclusive lock on a file, between processes of all machines that share its folder. The file
/// is created, and removed in the end; if the process is killed, the system releases the lock and
/// the file stays for the next holder. It says who holds the lock, and what that process is doing.
///
/// On file systems without locks everyone gets one: it must only save work, not guard data.
class FileLock {
 public:
  /// Absent if another process, or another lock of this one, holds it. Throws InputError if the
  /// file cannot be created.
  static std::optional<FileLock> try_lock(const std::filesystem::path& file);
  /// Waits until the lock is free. `waiting` receives the holder ("process 12 on render3") at
  /// first, and is called again about once a second.
  static FileLock wait_for(const std::filesystem::path& file,
                           const std::function<void(const std::string& holder)>& waiting = {});

  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;

  /// Whether the file system has locks.
  bool is_exclusive() const { return is_exclusive_; }
  /// Writes a line about the work of the holder for others to read (lock_state()), which also shows
  /// that the process is alive.
  void note(const std::string& line) const;

 private:
  FileLock(std::filesystem::path file, int descriptor)
      : file_(std::move(file)), descriptor_(descriptor) {}

  std::filesystem::path file_;
  int descriptor_;
  bool is_exclusive_ = true;
};

/// A lock file as others see it.
struct LockState {
  bool is_held = false;  ///< false: its holder was killed
  std::string holder;    ///< "process 12 on render3", or empty
  std::string note;      ///< the last line that the holder wrote
};

/// A holder on another machine that has written nothing for so long is taken for dead where the
/// file system does not tell [s].
inline constexpr double longest_silence = 60.0;

/// Absent if there is no such file.
std::optional<LockState> lock_state(const std::filesystem::path& file);

/// The name of this machine, or "".
std::string host_name();

}  // namespace peal::util

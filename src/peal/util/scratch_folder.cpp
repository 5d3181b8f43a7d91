#include <peal/util/error.h>
#include <peal/util/scratch_folder.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

constexpr const char* prefix = "peal-scratch-";
/// A folder that is younger may not be locked yet by the process that has just made it.
constexpr auto youngest_abandoned = std::chrono::minutes(10);

int open_folder(const fs::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/// Removes a folder of this user whose process has ended without removing it.
void remove_if_abandoned(const fs::path& path) {
  std::error_code error;
  if (fs::file_time_type::clock::now() - fs::last_write_time(path, error) < youngest_abandoned)
    return;
  const int descriptor = open_folder(path);
  if (descriptor < 0) return;
  struct stat status {};
  if (!error && ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    fs::remove_all(path, error);
  ::close(descriptor);
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  const char* const named = std::getenv("TMPDIR");
  if (error) {
    throw InputError({named != nullptr ? named : "/tmp", ""},
                     "the folder for temporary files does not exist",
                     "Set TMPDIR to a folder that exists.");
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(temporary, error)) {
    if (entry.path().filename().string().starts_with(prefix)) remove_if_abandoned(entry.path());
  }
  std::string name = (temporary / (std::string(prefix) + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw InputError({temporary.string(), ""},
                     std::string("no temporary files can be written: ") + std::strerror(errno),
                     "Set TMPDIR to a folder that has space and may be written to.");
  }
  path_ = name;
  descriptor_ = open_folder(path_);
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_EX | LOCK_NB);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace peal::util

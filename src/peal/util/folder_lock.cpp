#include <peal/util/error.h>
#include <peal/util/folder_lock.h>
#include <peal/util/temporary_name.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

namespace peal::util {

namespace fs = std::filesystem;

namespace {

/// Whether a name still stands for the open file.
bool is_same_file(int descriptor, const fs::path& path) {
  struct stat open_file {
  }, named{};
  return ::fstat(descriptor, &open_file) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev;
}

/// The number of the process that holds a lock, or "".
std::string holder(int descriptor) {
  std::array<char, 32> text{};
  const ssize_t got = ::pread(descriptor, text.data(), text.size(), 0);
  std::string number(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
  number.erase(number.find_last_not_of('\n') + 1);
  return number.empty() ? "" : " (process " + number + ")";
}

/// With the lock, no writer is left that temporary files (write_file()) could belong to.
void remove_temporaries(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (is_temporary_name(entry.path()) && entry.is_regular_file(error))
      fs::remove(entry.path(), error);
  }
}

}  // namespace

FolderLock::FolderLock(const fs::path& folder) : folder_(folder), file_(folder / ".lock") {
  std::error_code error;
  is_new_ = fs::create_directories(folder, error);
  for (;;) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor_ < 0) {
      throw InputError({folder.string(), ""}, std::string("cannot write: ") + std::strerror(errno),
                       "Choose another folder with -o.");
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const bool is_held = errno == EWOULDBLOCK;
      const std::string process = holder(descriptor_);
      ::close(descriptor_);
      descriptor_ = -1;
      if (!is_held) return;  // a file system without locks
      throw InputError({folder.string(), ""},
                       fmt::format("another render{} is writing to this folder", process),
                       "Wait until it ends, or choose another folder with -o.");
    }
    // The process before may have removed the file after it was opened here.
    if (is_same_file(descriptor_, file_)) break;
    ::close(descriptor_);
  }
  const std::string number = fmt::format("{}\n", ::getpid());
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, number.data(), number.size(), 0) < 0) {
    // The number only makes the message of others clearer.
  }
  remove_temporaries(folder);
}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  fs::remove(file_, ignored);
  ::close(descriptor_);
  // A render that failed leaves no empty folder behind.
  if (is_new_) fs::remove(folder_, ignored);
}

}  // namespace peal::util

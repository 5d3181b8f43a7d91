#include <peal/util/error.h>
#include <peal/util/file_lock.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <sstream>
#include <thread>
#include <utility>

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

/// The content of a lock file: a line each for the process, its machine and its note.
struct LockText {
  std::string process, host, note;

  std::string holder() const {
    if (process.empty()) return "";
    return "process " + process + (host == host_name() ? "" : " on " + host);
  }
};

LockText read_text(int descriptor) {
  std::array<char, 1024> bytes{};
  const ssize_t got = ::pread(descriptor, bytes.data(), bytes.size(), 0);
  std::istringstream lines(std::string(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0));
  LockText text;
  std::getline(lines, text.process);
  std::getline(lines, text.host);
  std::getline(lines, text.note);
  return text;
}

/// A descriptor that is closed in the end.
class Opened {
 public:
  Opened(const fs::path& file, int flags) : descriptor_(::open(file.c_str(), flags | O_CLOEXEC)) {}
  ~Opened() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::optional<FileLock> FileLock::try_lock(const fs::path& file) {
  std::error_code error;
  if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);
  for (;;) {
    FileLock lock(file, ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (lock.descriptor_ < 0) {
      throw InputError({file.parent_path().string(), ""},
                       std::string("cannot write: ") + std::strerror(errno),
                       "Choose another folder with -o.");
    }
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) {
        ::close(std::exchange(lock.descriptor_, -1));
        return std::nullopt;
      }
      lock.is_exclusive_ = false;
    } else if (!is_same_file(lock.descriptor_, file)) {
      // The holder before has removed the file after it was opened here.
      ::close(std::exchange(lock.descriptor_, -1));
      continue;
    }
    lock.note("");
    return lock;
  }
}

FileLock FileLock::wait_for(const fs::path& file,
                            const std::function<void(const std::string&)>& waiting) {
  using namespace std::chrono_literals;
  constexpr auto longest_pause = 250ms;
  auto pause = 10ms;
  for (auto reported = std::chrono::steady_clock::time_point();;) {
    if (auto lock = try_lock(file)) return *std::move(lock);
    if (const auto now = std::chrono::steady_clock::now(); waiting && now - reported > 1s) {
      reported = now;
      if (const auto state = lock_state(file)) waiting(state->holder);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::milliseconds>(2 * pause, longest_pause);
  }
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_exclusive_(other.is_exclusive_) {}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  fs::remove(file_, ignored);
  ::close(descriptor_);
}

void FileLock::note(const std::string& line) const {
  const std::string text = fmt::format("{}\n{}\n{}\n", ::getpid(), host_name(), line);
  if (::ftruncate(descriptor_, 0) != 0 || ::pwrite(descriptor_, text.data(), text.size(), 0) < 0) {
    // It only helps others to understand.
  }
}

std::optional<LockState> lock_state(const fs::path& path) {
  const Opened file(path, O_RDONLY);
  if (file.get() < 0) return std::nullopt;
  const LockText text = read_text(file.get());
  LockState state{.holder = text.holder(), .note = text.note};
  const bool is_free = ::flock(file.get(), LOCK_SH | LOCK_NB) == 0;
  state.is_held = !is_free && errno == EWOULDBLOCK;
  if (state.is_held || text.host == host_name()) return state;
  // Locks of other machines may not be seen here, but their notes are.
  struct stat status {};
  state.is_held = ::fstat(file.get(), &status) == 0 &&
                  std::difftime(::time(nullptr), status.st_mtim.tv_sec) < longest_silence;
  return state;
}

}  // namespace peal::util
